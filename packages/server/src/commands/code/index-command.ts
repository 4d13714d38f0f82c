import { amount } from "@harness/protocol";
import type { IndexGroup, IndexProblem } from "@harness/workspace";
import { type CommandAnswer, misused, type ServerCommand } from "../server-command.ts";

/** A small folder is indexed by then; a large one goes on while the session works. */
const WAIT_MS = 2_000;

export const indexCommand: ServerCommand = {
  description:
    "Make the search index of this folder or bring it up to date; look at it, pause it, rebuild it, delete it.",
  argumentHint: "[status|pause|resume|rebuild|remove]",
  needsSession: false,
  async run({ workspace: { index }, host }, args) {
    switch (args) {
      case "":
      case "rebuild":
        return refreshed(index, args === "rebuild");
      case "status":
        return statusOf(index);
      case "pause":
      case "resume":
        host.records.codeSearch.pause(args === "pause");
        host.sessions.hud.refreshAll();
        return args === "pause" ? "Indexing is paused. Type /index resume to go on." : "Indexing resumed.";
      case "remove":
        return (await index.remove()) ? "The index of this folder is deleted." : "This folder has no index.";
      default:
        throw misused("Type /index, or /index with status, pause, resume, rebuild or remove.");
    }
  },
};

async function refreshed(index: IndexGroup, rebuild: boolean): Promise<CommandAnswer> {
  const refreshing = index.refresh({ rebuild, signal: new AbortController().signal });
  const done = await Promise.race([refreshing, after(WAIT_MS)]);
  if (!done) return "Indexing. The bottom row shows the progress; /index pause pauses it.";
  if ("problem" in done) return problemOf(done);
  const { indexed, removed } = done;
  const changes =
    indexed + removed === 0 ? "Nothing has changed." : `${amount(indexed, "file")} indexed, ${removed} removed.`;
  return `${changes} ${await textOf(index)}`;
}

async function statusOf(index: IndexGroup): Promise<string> {
  const { progress } = index;
  const running =
    progress &&
    `${progress.filesDone} of ${progress.filesTotal} files are indexed${progress.isPaused ? "; paused" : ""}.`;
  return [await textOf(index), ...(running ? [running] : [])].join("\n");
}

async function textOf(index: IndexGroup): Promise<string> {
  const summary = await index.summary();
  if (!summary) return "This folder has no index. /index makes one.";
  if ("problem" in summary) return summary.problem;
  const { files, chunks, fallbacks, fresh } = summary;
  const broken = fallbacks > 0 ? ` Not parsed, being broken or too large: ${amount(fallbacks, "file")}.` : "";
  return `The index has ${amount(files, "file")} in ${amount(chunks, "chunk")}, and is ${fresh ? "" : "not "}up to date.${broken}`;
}

function problemOf({ problem }: IndexProblem): CommandAnswer {
  return { text: problem, exitCode: 1 };
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
}
