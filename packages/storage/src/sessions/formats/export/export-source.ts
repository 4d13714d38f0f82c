import { type FactPages, factsOf, type SessionHeader } from "@harness/core";
import { ROOT_AGENT, rewoundFacts, type StoredFact, type UpdateOf } from "@harness/protocol";
import type { MovingCheckpoints } from "../../../checkpoints/moving/move-checkpoints.ts";
import { mapTexts } from "../json-tree.ts";

/** A session to export. Formats may read its pages any number of times. */
export type ExportSource = {
  readonly header: SessionHeader;
  readonly title: string | undefined;
  readonly pages: FactPages;
  /** The folders of its saved texts: its own, then those of the sessions it was forked from. */
  readonly savedTexts: readonly string[];
  /** Its file states, for formats that include them. */
  readonly checkpoints?: MovingCheckpoints | undefined;
  /** Markdown as markup; absent: texts stay as they were written. */
  readonly markdown?: (text: string) => string;
  /** The version of harness. */
  readonly version: string;
  /** Removes secrets from a text. */
  hide(text: string): string;
  /** How many characters at the end of a text may be the beginning of a secret. */
  open(text: string): number;
  /** Gets a sentence for people about something that could not be exported. */
  leave(sentence: string): void;
};

/** A format for exporting sessions. */
export type ExportWriter = {
  /** For people: "Markdown". */
  readonly title: string;
  /** The extension of its files. */
  readonly ending: string;
  /** Loads what its source is to have besides. Absent: nothing. */
  load?(): Promise<Pick<ExportSource, "markdown">>;
  /** Yields the session in pieces, so that it is never in memory as a whole. */
  write(source: ExportSource): Iterable<string | Uint8Array>;
};

/** The facts of a session, without secrets in any of their texts. */
export function* exportedFacts(
  { pages, hide }: Pick<ExportSource, "pages" | "hide">,
  range: { after?: number; before?: number } = {},
): Generator<StoredFact, void> {
  for (const fact of factsOf(pages, range)) {
    const update = hiddenIn(withoutSplitSecrets(fact.update, hide), hide) as StoredFact["update"];
    // Redaction must not change the kind, even if a secret looks like it.
    yield { ...fact, update: { ...update, sessionUpdate: fact.update.sessionUpdate } as StoredFact["update"] };
  }
}

/** The value with `hide` applied to each text in it, including field names. */
export function hiddenIn(value: unknown, hide: (text: string) => string): unknown {
  return mapTexts(value, hide, hide);
}

/** Lists of parts whose texts readers join, and fields with messages that contain such lists. */
const PART_LISTS: ReadonlySet<string> = new Set(["content", "attached", "parts"]);
const MESSAGE_FIELDS: ReadonlySet<string> = new Set(["added", "prompt"]);

/** A secret may begin in one part of a message and end in the next; joining the texts hides it in both. */
function withoutSplitSecrets(message: object, hide: (text: string) => string): object {
  const entries = Object.entries(message).map(([field, value]) => {
    if (PART_LISTS.has(field) && Array.isArray(value)) return [field, joinedWhereNeeded(value, hide)];
    if (!MESSAGE_FIELDS.has(field) || typeof value !== "object" || value === null) return [field, value];
    const inside = (each: unknown) =>
      typeof each === "object" && each !== null ? withoutSplitSecrets(each, hide) : each;
    return [field, Array.isArray(value) ? value.map(inside) : inside(value)];
  });
  return Object.fromEntries(entries);
}

function joinedWhereNeeded(parts: readonly unknown[], hide: (text: string) => string): readonly unknown[] {
  let list = parts;
  for (const type of ["text", "thinking"]) {
    const isText = (part: unknown) => Object(part).type === type && typeof Object(part).text === "string";
    const texts = list.filter(isText).map((part) => String(Object(part).text));
    if (texts.length < 2) continue;
    const whole = hide(texts.join(""));
    if (whole === texts.map(hide).join("")) continue;
    const first = list.findIndex(isText);
    list = list.flatMap((part, at) => (at === first ? [{ ...Object(part), text: whole }] : isText(part) ? [] : [part]));
  }
  return list;
}

/** An agent of a session, and the range of its facts. */
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

/** The subagents of a session by id, in the order they were started. */
export function subagentsOf({ pages, hide }: Pick<ExportSource, "pages" | "hide">): Map<string, ExportedAgent> {
  const agents = new Map<string, ExportedAgent>();
  for (const { seq, agentId: parentId, update } of factsOf(pages, { kinds: ["subagent_update"] })) {
    if (update.sessionUpdate !== "subagent_update") continue;
    const { childAgentId: agentId, toolCallId, state } = update;
    const known = agents.get(agentId);
    // In a forged log, agents may be each other's children: the loop must end.
    const isKnown = known !== undefined || agentId === parentId || agentId === ROOT_AGENT;
    if (isKnown && known === undefined) continue;
    agents.set(agentId, {
      agentId,
      parentId: known?.parentId ?? (agents.has(parentId) ? parentId : ROOT_AGENT),
      name: known?.name ?? (update.name === undefined ? undefined : hide(update.name)),
      task: known?.task ?? hide(update.task),
      toolCallId: known?.toolCallId ?? toolCallId,
      // The announcement precedes the subagent's first fact.
      after: known?.after ?? seq - 1,
      before: state === "running" ? Number.POSITIVE_INFINITY : seq + 1,
    });
  }
  return agents;
}

/** Tells which facts of the main agent a rewind has hidden. */
export function hiddenBy({ pages }: Pick<ExportSource, "pages">): ReturnType<typeof rewoundFacts> {
  return rewoundFacts(rewindsIn(pages));
}

function* rewindsIn(pages: FactPages): Generator<{ seq: number; update: UpdateOf<"rewind_update"> }, void> {
  for (const { seq, update } of factsOf(pages, { kinds: ["rewind_update"] }))
    if (update.sessionUpdate === "rewind_update") yield { seq, update };
}

/** The subagents that were not hidden by a rewind, with their turn or with their parents. */
export function shownSubagents(source: ExportSource): ExportedAgent[] {
  const hidden = hiddenSubagents(source);
  return [...subagentsOf(source).values()].filter(({ agentId }) => !hidden.has(agentId));
}

/** The ids of the hidden ones. */
export function hiddenSubagents(source: ExportSource): ReadonlySet<string> {
  const isHidden = hiddenBy(source);
  const hidden = new Set<string>();
  for (const { agentId, parentId = ROOT_AGENT, after } of subagentsOf(source).values())
    if (hidden.has(parentId) || isHidden({ agentId: parentId, seq: after + 1 })) hidden.add(agentId);
  return hidden;
}
