import type { RecordedFolder, RecordedOpening, RecordedRequest, RecordedTool, ToolSpec } from "@harness/core";
import { isRecord, jsonValue } from "@harness/host";
import type { PromptCommand, ToolMode } from "@harness/protocol";
import type { RequestLines } from "@harness/workspace";

/** How a request went over the wire. Undefined: its program wrote it. */
type RecordedForm = {
  refused: readonly string[];
  slot: number | undefined;
  withoutImages: boolean;
  /** Layers above the wire had changed the request in a way that is not recorded. */
  isOther: boolean;
  /** The short fields of the body. */
  fields: Readonly<Record<string, unknown>>;
};

/** A request with the hash of its bytes, and the marks of its messages. */
export type StoredRequest = {
  request: RecordedRequest;
  sha256: string;
  marks: readonly string[];
  form: RecordedForm | undefined;
};

type Entry = Readonly<Record<string, unknown>>;
type AgentState = { made: Entry; form: unknown; marks: readonly string[] };

/** Of all requests together, whose messages a short line can repeat; a session of thousands of requests has fewer. */
const MAX_MARKS = 20_000_000;

const TOOL_MODES: readonly ToolMode[] = ["native", "constrained", "prompted"];
const NO_FOLDER: RecordedFolder = { workspaces: {}, map: [], pinned: {} };
const NO_OPENING: RecordedOpening = { allow: [], deny: [], additionalDirectories: [] };

/** The requests of a file that anybody may have written; `broken`: how many cannot be read. */
export function recordedRequests(lines: RequestLines): { requests: StoredRequest[]; broken: number } {
  const texts = new RecordedTexts(lines.texts);
  const agents = new Map<string, AgentState>();
  const requests: StoredRequest[] = [];
  let { bad: broken } = lines;
  let room = MAX_MARKS;
  for (const entry of lines.entries) {
    const read = room > 0 ? readEntry(entry, agents, texts) : undefined;
    room -= read?.marks.length ?? 0;
    if (read) requests.push(read);
    else broken += 1;
  }
  return { requests, broken };
}

function readEntry(entry: Entry, agents: Map<string, AgentState>, texts: RecordedTexts): StoredRequest | undefined {
  const { agentId, turnId, after, sha256, messages } = entry;
  if (typeof agentId !== "string" || typeof after !== "number" || typeof sha256 !== "string") return undefined;
  const last = agents.get(agentId);
  const made = isRecord(entry.made) ? entry.made : last?.made;
  const form = entry.form === undefined ? last?.form : entry.form;
  const marks = marksOf(messages, last?.marks ?? []);
  if (!made || !marks) return undefined;
  agents.set(agentId, { made, form, marks });
  const system = texts.text(made.system);
  const tools = texts.array<ToolSpec>(made.tools, isToolSpec);
  const toolMode = TOOL_MODES.find((mode) => mode === made.toolMode);
  const { provider, model } = made;
  if (system === undefined || !tools || !toolMode) return undefined;
  if (typeof provider !== "string" || typeof model !== "string") return undefined;
  const request: RecordedRequest = {
    ...{ agentId, turnId: typeof turnId === "string" ? turnId : "", after, isFresh: entry.fresh === true },
    ...{ provider, model, system, tools, toolMode },
    contextWindow: numberOr(made.contextWindow),
    maxOutputTokens: numberOr(made.maxOutputTokens),
    effort: typeof made.effort === "string" ? made.effort : undefined,
    served: texts.array<RecordedTool>(made.served, isToolSpec) ?? [],
    folder: { ...NO_FOLDER, ...texts.object<RecordedFolder>(made.folder) },
    opening: texts.opening(made.opening),
    command: texts.object<PromptCommand>(made.command),
  };
  return { request, sha256, marks, form: formOf(form, texts) };
}

/** Parses each text once: the same name gives the same object. */
class RecordedTexts {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #openings = new Map<unknown, RecordedOpening>();
  readonly #parsed = new Map<string, unknown>();

  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  text(name: unknown): string | undefined {
    return typeof name === "string" ? this.#texts.get(name) : undefined;
  }

  /** The shape of a file of one's own is known; that of others can only make their replay fail. */
  object<T extends object>(name: unknown): T | undefined {
    const value = this.#value(name);
    return isRecord(value) ? (value as T) : undefined;
  }

  opening(name: unknown): RecordedOpening {
    const known = this.#openings.get(name) ?? openingOf(this.#value(name));
    this.#openings.set(name, known);
    return known;
  }

  array<T>(name: unknown, isItem: (value: unknown) => boolean): readonly T[] | undefined {
    const value = this.#value(name);
    return Array.isArray(value) && value.every(isItem) ? (value as T[]) : undefined;
  }

  #value(name: unknown): unknown {
    const text = this.text(name);
    if (typeof name !== "string" || text === undefined) return undefined;
    if (!this.#parsed.has(name)) this.#parsed.set(name, jsonValue(text));
    return this.#parsed.get(name);
  }
}

function openingOf(value: unknown): RecordedOpening {
  if (!isRecord(value)) return NO_OPENING;
  const { allow, deny, additionalDirectories, customInstructions } = value;
  return {
    ...{ allow: texts(allow), deny: texts(deny), additionalDirectories: texts(additionalDirectories) },
    customInstructions: typeof customInstructions === "string" ? customInstructions : undefined,
  };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function formOf(form: unknown, texts: RecordedTexts): RecordedForm | undefined {
  if (!isRecord(form)) return undefined;
  return {
    refused: Array.isArray(form.refused) ? form.refused.map(String) : [],
    slot: numberOr(form.slot),
    withoutImages: form.withoutImages === true,
    isOther: form.isOther === true,
    fields: texts.object<Record<string, unknown>>(form.fields) ?? {},
  };
}

function marksOf(messages: unknown, before: readonly string[]): readonly string[] | undefined {
  if (!isRecord(messages) || typeof messages.keep !== "number" || !Array.isArray(messages.add)) return undefined;
  return [...before.slice(0, messages.keep), ...messages.add.map(String)];
}

function isToolSpec(value: unknown): boolean {
  return isRecord(value) && typeof value.name === "string" && typeof value.description === "string";
}

function numberOr(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
