import { type PastEntry, pastEntries, pastEntry } from "../../context/recall/past-entries.ts";
import { searchEntries } from "../../context/recall/search-entries.ts";
import type { FactPages } from "../../ports/fact-pages.ts";
import type { ToolResult } from "../../ports/tool.ts";
import { RECALL, type RecallQuery } from "../../tools/recall.ts";

/** Entries that a search shows. */
export const MAX_FOUND = 8;
const PART_CHARS = 6_000;

/** The log, the agent that asks, and the maximum length of a result. */
type Past = { log: FactPages; agentId: string; maxChars: number };

/** Searches the log of its session for an agent, or shows it one message or result of it. */
export function recallPast({ log, agentId, maxChars }: Past, order: RecallQuery): ToolResult {
  const { query = "", seq, part = 1, all_agents = false } = order;
  const filter = { withoutTool: RECALL, ...(all_agents ? {} : { agentId }) };
  if (seq !== undefined) return wholeOf(pastEntry(log, seq, filter), { seq, part, maxChars });
  if (query.trim() === "") return answer("error", "Give words to search for as `query`, or a `seq`.");
  return foundIn(pastEntries(log, filter), query);
}

function foundIn(entries: Iterable<PastEntry>, query: string): ToolResult {
  const { hits, count } = searchEntries(entries, query, MAX_FOUND);
  if (count === 0) return answer("ok", `No match for ${query.slice(0, 100)} in this session. Try other words.`);
  const best = hits.map(({ entry, excerpt }) => `${labelOf(entry)}: ${excerpt}`);
  const of = count > best.length ? ` of ${count}` : "";
  const text = [`${best.length}${of} found, best first. \`seq\` shows one in full.`, ...best].join("\n\n");
  return { status: "ok", text, blocks: [{ type: "text", text }] };
}

function wholeOf(entry: PastEntry | undefined, wanted: WantedPart): ToolResult {
  const found = partOf(entry, wanted);
  return "problem" in found ? answer("error", found.problem) : answer("ok", `${found.label}:\n${found.text}`);
}

/** `maxChars`: the maximum length of the result. */
export type WantedPart = { seq: number; part: number; maxChars: number };

/** A part of an entry, cut to what a result may have. */
export function partOf(
  entry: Pick<PastEntry, "seq" | "kind" | "name" | "agentId" | "text"> | undefined,
  { seq, part, maxChars }: WantedPart,
): { label: string; text: string } | { problem: string } {
  if (!entry) return { problem: `There is no message or result ${seq}. Search with \`query\`.` };
  const partChars = Math.min(PART_CHARS, maxChars - 200);
  const parts = Math.max(1, Math.ceil(entry.text.length / partChars));
  if (part > parts) return { problem: `There ${parts === 1 ? "is only one part" : `are only ${parts} parts`}.` };
  const text = entry.text.slice((part - 1) * partChars, part * partChars).toWellFormed();
  const place = parts === 1 ? "" : ` (part ${part} of ${parts})`;
  return { label: `${labelOf(entry)}${place}`, text };
}

/** For example `[12] result of bash`. */
function labelOf({ seq, kind, name, agentId }: Pick<PastEntry, "seq" | "kind" | "name" | "agentId">): string {
  const from = agentId === "main" ? "" : ` of ${agentId}`;
  const what = { person: "the person", agent: "the agent", message: "a message", summary: "a summary", result: "" }[
    kind
  ];
  return `[${seq}] ${kind === "result" ? `result of ${name}` : what}${from}`;
}

/** The same text for the model and for people. */
export function answer(status: "ok" | "error", text: string): ToolResult {
  return { status, text, blocks: [{ type: "text", text }] };
}
