import { type AgentPart, ROOT_AGENT, type StoredFact, textOf } from "@harness/protocol";
import { type FactPages, type FactRange, factsOf } from "../../ports/fact-pages.ts";

/** Something said or done in a session and kept in its log, whether or not requests still show it. */
export type PastEntry = {
  seq: number;
  /** For a result, the seq of its reply; otherwise `seq`. A compaction keeps entries from such a number on. */
  groupSeq: number;
  at: string;
  agentId: string;
  kind: "person" | "agent" | "message" | "result" | "summary";
  /** The tool of a result. */
  name?: string;
  text: string;
};

type Call = { name: string; seq: number };

/** Which entries: without calls of one tool and their results, of one agent alone, and from a range of the log. */
export type PastFilter = { withoutTool?: string; agentId?: string } & Omit<FactRange, "limit">;

const ENTRY_KINDS: FactRange["kinds"] = ["user_message", "agent_message", "tool_call_update", "compaction_update"];

/**
 * The entries of a log in order, without what the user rewound. Results have the names of their tools. They are read
 * page by page, each time that the result is iterated.
 */
export function pastEntries(
  pages: FactPages,
  { withoutTool, agentId, kinds = ENTRY_KINDS, ...range }: PastFilter = {},
): Iterable<PastEntry> {
  const calls = callsIn(pages);
  const hidden = hiddenRanges(pages);
  const isHidden = ({ agentId: of, seq, kind }: PastEntry) =>
    // Only the conversation of the main agent can be rewound.
    of === ROOT_AGENT &&
    hidden.some(({ from, to, fromFiles }) => seq >= from && seq < to && !(fromFiles && kind === "summary"));
  return {
    *[Symbol.iterator]() {
      for (const fact of factsOf(pages, { ...range, kinds })) {
        if (agentId !== undefined && fact.agentId !== agentId) continue;
        const entry = entryOf(fact, calls, withoutTool);
        if (!entry || entry.text.trim() === "" || (withoutTool !== undefined && entry.name === withoutTool)) continue;
        if (!isHidden(entry)) yield entry;
      }
    },
  };
}

/** The entry with this number. */
export function pastEntry(pages: FactPages, seq: number, filter: Omit<PastFilter, keyof FactRange> = {}) {
  const [entry] = pastEntries(pages, { ...filter, after: seq - 1, before: seq + 1 });
  return entry;
}

function entryOf(
  { seq, at, agentId, update }: StoredFact,
  calls: ReadonlyMap<string, Call>,
  withoutTool: string | undefined,
): PastEntry | undefined {
  const from = { seq, groupSeq: seq, at, agentId };
  switch (update.sessionUpdate) {
    case "user_message": {
      const text = [textOf(update.content), textOf(update.attached ?? [])].filter((part) => part !== "").join("\n");
      return { ...from, kind: update.origin === "user" ? "person" : "message", text };
    }
    case "agent_message":
      return { ...from, kind: "agent", text: textOfReply(update.parts, withoutTool) };
    case "tool_call_update": {
      if (!update.outcome) return undefined;
      const call = calls.get(update.toolCallId);
      const name = call?.name ?? update.name ?? "";
      return { ...from, groupSeq: call?.seq ?? seq, kind: "result", name, text: update.outcome.text };
    }
    case "compaction_update":
      return { ...from, kind: "summary", text: update.summary };
    default:
      return undefined;
  }
}

function textOfReply(parts: readonly AgentPart[], withoutTool: string | undefined): string {
  const shown = parts.filter((part) => part.type !== "tool_call" || part.name !== withoutTool);
  return shown.map(partText).join("\n").trim();
}

function partText(part: AgentPart): string {
  if (part.type === "text") return part.text;
  if (part.type === "thinking") return "";
  return `${part.name} ${JSON.stringify(part.input ?? part.inputText ?? {})}`;
}

/** If a call started before its reply was complete, the reply comes after the result. */
function callsIn(pages: FactPages): Map<string, Call> {
  const calls = new Map<string, Call>();
  for (const { seq, update } of factsOf(pages, { kinds: ["agent_message"] })) {
    if (update.sessionUpdate !== "agent_message") continue;
    for (const part of update.parts)
      if (part.type === "tool_call") calls.set(part.toolCallId, { name: part.name, seq });
  }
  return calls;
}

/** `fromFiles`: only messages are hidden. */
type HiddenRange = { from: number; to: number; fromFiles: boolean };

function hiddenRanges(pages: FactPages): HiddenRange[] {
  const ranges = new Map<string, HiddenRange>();
  for (const { seq, update } of factsOf(pages, { kinds: ["rewind_update"] })) {
    if (update.sessionUpdate !== "rewind_update") continue;
    const { rewindId, redoOf, fromSeq, fromFiles = false } = update;
    if (redoOf !== undefined) ranges.delete(redoOf);
    else if (fromSeq !== undefined) ranges.set(rewindId, { from: fromSeq, to: seq, fromFiles });
  }
  return [...ranges.values()];
}
