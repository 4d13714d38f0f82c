import type { StoredFact } from "@harness/protocol";
import { type PastEntry, pastEntries } from "../../context/recall/past-entries.ts";
import { searchEntries } from "../../context/recall/search-entries.ts";
import type { ToolResult } from "../../ports/tool.ts";
import { RECALL, type RecallQuery } from "../../tools/recall.ts";

const MAX_FOUND = 8;
const PART_CHARS = 6_000;

/** The facts of an agent, and the most characters of a result. */
type Past = { facts: readonly StoredFact[]; agentId: string; maxChars: number };

/** Answers what an agent looks for in the log of its session, or shows it one message or result of it. */
export function recallPast({ facts, agentId: own, maxChars }: Past, order: RecallQuery): ToolResult {
  const { query = "", seq, part = 1, all_agents = false } = order;
  const entries = pastEntries(facts, RECALL).filter(({ agentId }) => all_agents || agentId === own);
  if (seq !== undefined) return wholeOf(entries, seq, part, Math.min(PART_CHARS, maxChars - 200));
  if (query.trim() === "") return answer("error", "Give words to search for as `query`, or a `seq`.");
  return foundIn(entries, query);
}

function foundIn(entries: readonly PastEntry[], query: string): ToolResult {
  const found = searchEntries(entries, query);
  if (found.length === 0) return answer("ok", `No match for ${query.slice(0, 100)} in this session. Try other words.`);
  const best = found.slice(0, MAX_FOUND).map(({ entry, excerpt }) => `${labelOf(entry)}: ${excerpt}`);
  const of = found.length > best.length ? ` of ${found.length}` : "";
  const text = [`${best.length}${of} found, best first. \`seq\` shows one in full.`, ...best].join("\n\n");
  return { status: "ok", text, blocks: [{ type: "text", text }] };
}

function wholeOf(entries: readonly PastEntry[], seq: number, part: number, partChars: number): ToolResult {
  const entry = entries.find((each) => each.seq === seq);
  if (!entry) return answer("error", `There is no message or result ${seq}. Search with \`query\`.`);
  const parts = Math.max(1, Math.ceil(entry.text.length / partChars));
  if (part > parts) return answer("error", `There ${parts === 1 ? "is only one part" : `are only ${parts} parts`}.`);
  const text = entry.text.slice((part - 1) * partChars, part * partChars).toWellFormed();
  const place = parts === 1 ? "" : ` (part ${part} of ${parts})`;
  return answer("ok", `${labelOf(entry)}${place}:\n${text}`);
}

/** Such as `[12] result of bash`. */
function labelOf({ seq, kind, name, agentId }: PastEntry): string {
  const from = agentId === "main" ? "" : ` of ${agentId}`;
  const what = { person: "the person", agent: "the agent", message: "a message", summary: "a summary", result: "" }[
    kind
  ];
  return `[${seq}] ${kind === "result" ? `result of ${name}` : what}${from}`;
}

function answer(status: "ok" | "error", text: string): ToolResult {
  return { status, text, blocks: [{ type: "text", text }] };
}
