import { pinnedName } from "@harness/core";
import type { PinnedFile, SeenFile } from "@harness/protocol";
import { readPinnedFile } from "@harness/workspace";
import { misused, type ServerCommand, type SessionContext } from "../server-command.ts";
import { findPinnedFiles, splitNames } from "./pin-names.ts";
import { formatTokens, maxPinnedTokens, pinnedEntries, pinnedTokens, sumOf } from "./pinned-list.ts";

const MAX_PINNED = 100;

type AddedFile = { file: PinnedFile; name: string; tokens: number; seen: SeenFile };

export const addCommand: ServerCommand = {
  description: "Pin files: their text stays in every request. Paths, lines (a.ts:10-40) or patterns (src/*.ts).",
  argumentHint: "FILE…",
  needsSession: true,
  async run(context, args) {
    const names = splitNames(args);
    if (names.length === 0) throw misused("/add takes files, as in /add src/a.ts README.md:1-40 docs/*.md.");
    const { session, cwd, workspace } = context;
    const before = await pinnedEntries(context);
    const isPinned = new Set(before.map(({ name }) => name));
    const added: AddedFile[] = [];
    const refused: string[] = [];
    for (const name of names) {
      const files = await findPinnedFiles(name, { cwd, list: workspace.files.list });
      if ("problem" in files) refused.push(`${files.problem}.`);
      else {
        for (const file of files) {
          const shown = pinnedName(file, cwd);
          if (isPinned.has(shown)) refused.push(`${shown} is pinned already.`);
          else {
            const result = await lookAt(context, file, before.length + added.length, sumOf([...before, ...added]));
            if ("problem" in result) refused.push(`${shown} ${result.problem}.`);
            else added.push(result);
            isPinned.add(shown);
          }
        }
      }
    }
    const all = [...session.state.pinned, ...added.map(({ file }) => file)];
    if (
      added.length > 0 &&
      !session.texts.pin(
        all,
        added.map(({ seen }) => seen),
      )
    )
      return "Nothing was pinned: the session cannot be saved.";
    return answer(added, refused, sumOf([...before, ...added]));
  },
};

async function lookAt(
  { session, cwd }: SessionContext,
  file: PinnedFile,
  count: number,
  taken: number,
): Promise<AddedFile | { problem: string }> {
  if (count >= MAX_PINNED) return { problem: `is one too many: the limit is ${MAX_PINNED} files` };
  const refusal = await session.mentionRefusal(file.path);
  if (refusal !== undefined)
    return { problem: `${refusal.replace(": let the agent ask for it", "")}: it cannot be pinned` };
  const read = await readPinnedFile(file);
  if ("problem" in read) return read;
  const name = pinnedName(file, cwd);
  const tokens = pinnedTokens(name, read.text);
  const limit = await maxPinnedTokens(session);
  if (taken + tokens > limit) {
    return {
      problem: `has about ${formatTokens(tokens)}, and pinned files may take ${formatTokens(limit)} of this context window in total. Pin some of its lines`,
    };
  }
  return { file, name, tokens, seen: read.seen };
}

function answer(added: readonly AddedFile[], refused: readonly string[], sum: number): string {
  const total = added.length > 0 ? [`Pinned files add about ${formatTokens(sum)} to each request.`] : [];
  return [
    ...added.map(({ name, tokens }) => `Pinned ${name}, about ${formatTokens(tokens)}.`),
    ...refused,
    ...total,
  ].join("\n");
}
