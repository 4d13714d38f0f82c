import { type FactPages, factsOf, type SessionHeader } from "@harness/core";
import { ROOT_AGENT, type StoredFact } from "@harness/protocol";

/** A session to export. Formats read it page by page, as often as they need. */
export type ExportSource = {
  readonly header: SessionHeader;
  readonly title: string | undefined;
  readonly pages: FactPages;
  /** The folders of its saved texts. */
  readonly savedTexts: readonly string[];
  /** Of harness. */
  readonly version: string;
  /** Removes secrets from a text. */
  hide(text: string): string;
};

/** A format that sessions are exported to. */
export type ExportWriter = {
  /** For people: "Markdown". */
  readonly title: string;
  /** The ending of its files. */
  readonly ending: string;
  /** The session in pieces, so that memory never holds it whole. */
  write(source: ExportSource): Iterable<string | Uint8Array>;
};

/** The facts of a session, without secrets in any of their texts. */
export function* exportedFacts(
  { pages, hide }: Pick<ExportSource, "pages" | "hide">,
  range: { after?: number; before?: number } = {},
): Generator<StoredFact, void> {
  for (const fact of factsOf(pages, range)) {
    const update = hiddenIn(fact.update, hide) as StoredFact["update"];
    // A key that looks like the name of a field must not take its place.
    yield { ...fact, update: { ...update, sessionUpdate: fact.update.sessionUpdate } as StoredFact["update"] };
  }
}

/** The same value with each text in it passed through `hide`, names of fields too. */
export function hiddenIn(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === "string") return hide(value);
  if (Array.isArray(value)) return value.map((each) => hiddenIn(each, hide));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [hide(key), hiddenIn(each, hide)]));
}

/** An agent of a session, and the range in which its facts are. */
export type ExportedAgent = {
  readonly agentId: string;
  readonly parentId: string | undefined;
  readonly name: string | undefined;
  readonly task: string;
  /** The call that started it. */
  readonly toolCallId: string | undefined;
  readonly after: number;
  readonly before: number;
};

/** The subagents of a session by their id, in the order in which they were started. */
export function subagentsOf({ pages, hide }: Pick<ExportSource, "pages" | "hide">): Map<string, ExportedAgent> {
  const agents = new Map<string, ExportedAgent>();
  for (const { seq, agentId: parentId, update } of factsOf(pages, { kinds: ["subagent_update"] })) {
    if (update.sessionUpdate !== "subagent_update") continue;
    const { childAgentId: agentId, toolCallId, state } = update;
    const known = agents.get(agentId);
    // A log is data: one in which agents are each other's children would never end.
    const isKnown = known !== undefined || agentId === parentId || agentId === ROOT_AGENT;
    if (isKnown && known === undefined) continue;
    agents.set(agentId, {
      agentId,
      parentId: known?.parentId ?? (agents.has(parentId) ? parentId : ROOT_AGENT),
      name: known?.name ?? (update.name === undefined ? undefined : hide(update.name)),
      task: known?.task ?? hide(update.task),
      toolCallId: known?.toolCallId ?? toolCallId,
      // It is announced before its first fact.
      after: known?.after ?? seq - 1,
      before: state === "running" ? Number.POSITIVE_INFINITY : seq + 1,
    });
  }
  return agents;
}

/** Tells which messages a rewind has hidden; only those of the main agent are. */
export function hiddenBy({ pages }: Pick<ExportSource, "pages">): (fact: StoredFact) => boolean {
  const ranges = new Map<string, { from: number; to: number }>();
  for (const { seq, update } of factsOf(pages, { kinds: ["rewind_update"] })) {
    if (update.sessionUpdate !== "rewind_update") continue;
    if (update.redoOf !== undefined) ranges.delete(update.redoOf);
    else if (update.fromSeq !== undefined) ranges.set(update.rewindId, { from: update.fromSeq, to: seq });
  }
  const hidden = [...ranges.values()];
  return ({ agentId, seq }) => agentId === ROOT_AGENT && hidden.some(({ from, to }) => seq >= from && seq < to);
}
