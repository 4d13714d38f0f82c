import { compactionDiff, type PastEntry } from "@harness/core";
import { ROOT_AGENT } from "@harness/protocol";
import type { ServerCommand, SessionContext } from "../server-command.ts";
import { pastLine } from "./past-line.ts";

const MAX_LINES = 40;
const MAX_EXCERPT = 120;

export const compactCommand: ServerCommand = {
  aliases: ["compress", "summarize"],
  description:
    "Summarise older messages to make room in the context window; `diff` shows what the last compaction left out.",
  argumentHint: "[what to keep | diff]",
  needsSession: true,
  leavesLane: true,
  async run(context, args) {
    if (args === "diff") return diffText(context);
    const answer = await context.session.compact(args === "" ? undefined : args);
    if ("problem" in answer) return answer.problem;
    const { tokensBefore, tokensAfter } = answer;
    return `Compacted from about ${short(tokensBefore)} to about ${short(tokensAfter)} tokens. The log keeps everything: /compact diff shows what was removed from the context, /recall WORDS finds it.`;
  },
};

/** `1.9k`: an estimate has no more digits, and the window's transcript shows the same. */
function short(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(1).replace(/\.0$/, "")}k`;
}

function diffText({ session, host }: SessionContext): string {
  const { log, hide } = host.sessions.live.need(session.sessionId);
  const diff = compactionDiff(log, { agentId: ROOT_AGENT });
  if (!diff) return "This conversation has not been compacted yet.";
  const { compaction, left, stayed } = diff;
  const { tokensBefore, tokensAfter, summary } = compaction;
  const lines = left
    .slice(0, MAX_LINES)
    .map((entry) => `- ${pastLine(entry, entry.text.slice(0, MAX_EXCERPT).toWellFormed())}`);
  const more = left.length > lines.length ? [`- … and ${left.length - lines.length} more`] : [];
  return hide(
    [
      `The last compaction: from about ${short(tokensBefore)} to about ${short(tokensAfter)} tokens.`,
      `Removed from the context: ${countOf(left)}`,
      ...lines,
      ...more,
      `Kept: ${countOf(stayed)}`,
      "Replaced by:",
      ...summary.split("\n").map((line) => `+ ${line}`),
      "",
      "/recall #NUMBER shows one in full.",
    ].join("\n"),
  );
}

function countOf(entries: readonly PastEntry[]): string {
  const chars = entries.reduce((sum, { text }) => sum + text.length, 0);
  return `${entries.length} ${entries.length === 1 ? "entry" : "entries"}, ${chars.toLocaleString("en")} characters`;
}
