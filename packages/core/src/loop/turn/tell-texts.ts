import type { SeenFile } from "@harness/protocol";
import { shownPath } from "../../context/conversation/shown-path.ts";
import { knownTexts } from "../../context/files/known-texts.ts";
import { promptBudget } from "../../context/system/prompt-budget.ts";
import { type FittedFile, fittedFiles } from "../../context/system/sections/fitted-files.ts";
import { instructionText } from "../../context/system/sections/instruction-files.ts";
import { type PinnedText, readPinned } from "../../context/system/sections/pinned-files.ts";
import type { Turn } from "./turn.ts";

/** The number of last used files whose folders are searched. */
const MAX_FILES = 20;
const INSTRUCTIONS =
  "[A note from harness, not from the person: you are working below these folders, where these instructions apply.]";
const PINNED = "[A note from harness, not from the person: these pinned files have changed. They now say:]";

/**
 * Tells the model about files that have come into play: instructions in folders that it works in, and pinned files that
 * were changed by others. They are at the end of the messages, so that the server's cached prefix stays valid, and are
 * facts, so that a resumed session sends the same bytes.
 */
export async function tellTexts(turn: Turn): Promise<void> {
  await tellInstructions(turn);
  if (turn.requests === 0 && turn.agent.depth === 0) await tellPinned(turn);
}

async function tellInstructions(turn: Turn): Promise<void> {
  const { agent, scope } = turn;
  const { log, requests } = scope.ports;
  const used = agent.files.inPlay(MAX_FILES).map(({ path }) => path.slice(0, path.lastIndexOf("/")));
  const folders = [...new Set(used)].filter((folder) => !agent.visited.has(folder));
  if (folders.length === 0) return;
  const files = await requests.instructionsBelow(folders, agent.place?.cwd ?? log.header.cwd);
  if (turn.signal.aborted) return;
  for (const folder of folders) agent.visited.add(folder);
  const knownToModel = knownTexts(agent.projection);
  const news = files.filter(({ path, sha256 }) => knownToModel.get(path) !== sha256);
  const texts = news.map((file) => ({ ...instructionText(file), version: file.sha256 }));
  if (texts.length > 0) turn.notice("info", `Instructions that apply from now on: ${shownNames(turn, texts)}.`);
  record(turn, { note: INSTRUCTIONS, what: "instruction file", texts }, []);
}

/** The agent knows what its own tools have read or written, and what is in the system text. */
async function tellPinned(turn: Turn): Promise<void> {
  const { agent, scope } = turn;
  const { system } = scope.requests;
  if (scope.journal.state.pinned.length === 0 || agent.systemText === undefined) return;
  const files = await readPinned(system.sources);
  if (turn.signal.aborted) return;
  const texts = knownTexts(agent.projection);
  const written = new Map(
    agent.systemSections.flatMap(({ pieces }) => pieces.map((each) => [each.name, each.version])),
  );
  const news = files.filter(({ path, version, seen }) => {
    const known = texts.get(path) ?? written.get(path);
    return known !== version && (seen === undefined || agent.files.seen(seen.path)?.sha256 !== version);
  });
  if (news.length > 0) turn.notice("info", `Pinned files changed and are sent again: ${shownNames(turn, news)}.`);
  const seen = news.flatMap((each: PinnedText) => each.seen ?? []);
  record(turn, { note: PINNED, what: "pinned file", texts: news }, seen);
}

function shownNames({ scope }: Turn, files: readonly { path: string }[]): string {
  return files.map(({ path }) => shownPath(path, scope.ports.log.header.cwd)).join(", ");
}

type TextNote = { note: string; what: string; texts: readonly (FittedFile & { version: string })[] };

function record(turn: Turn, { note, what, texts }: TextNote, files: SeenFile[]): void {
  if (texts.length === 0) return;
  const { maxChars } = promptBudget(turn.choice?.contextWindow.tokens ?? 0);
  const pieces = fittedFiles(texts, Math.floor(maxChars / 2), what);
  turn.record({
    sessionUpdate: "user_message",
    messageId: turn.runtime.ids.next("message"),
    content: [{ type: "text", text: [note, ...pieces.map(({ text }) => text)].join("\n\n") }],
    origin: "harness",
    kind: "file_texts",
    texts: texts.map(({ path, version }) => ({ name: path, sha256: version })),
    ...(files.length > 0 ? { files } : {}),
  });
}
