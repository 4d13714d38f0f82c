import type { ModelAbilities, Price } from "@harness/protocol";
import { asCount, asRecord, type JsonRecord, withoutUndefined } from "../json/lenient-json.ts";
import { WrongApiError } from "../wires/failures/failure.ts";

/** A server's report on one of its models. Unknown fields are absent. */
export type ServerModel = {
  id: string;
  /** True if it is currently in memory. */
  loaded?: boolean;
  /** True if it is not in memory and its server loads it on request (`Catalogue.load`). */
  loads?: true;
  /** The context window that the server has for a conversation with it. */
  contextWindow?: number;
  /** The maximum length of a reply. */
  outputTokens?: number;
  /** Requests that the server handles at once; the others wait. Absent: no limit. */
  slots?: number;
  /** True if its server's prompt counts omit what it had read before. */
  countsPart?: true;
  abilities?: ModelAbilities;
  price?: Price;
};

/** Paths are relative to the server's root, which is the base URL without `/v1`. Rejects if there is no answer. */
export type Ask = (path: string, body?: unknown) => Promise<unknown>;

/** The same for work reported in lines, each a JSON value. */
export type Follow = (path: string, body: unknown) => AsyncIterable<unknown>;

/** The progress of a download. `status` is in the server's words; bytes refer to everything known so far. */
export type PullProgress = { status: string; completed?: number; total?: number };

/** `look` is answered soon or not at all; `work` may take minutes. */
export type LoadAsks = { look: Ask; work: Ask };

/** `contextWindow`: as set by the user, in tokens. `onLoading` is called if the model is not in memory. */
export type LoadOptions = { model: string; contextWindow?: number | undefined; onLoading(): void };

/** The server said why it does not do what it was asked. */
export class ServerRefusalError extends Error {}

export interface Catalogue {
  /** Lists the models that can chat, in the server's order. */
  list(ask: Ask): Promise<ServerModel[]>;
  /** Facts about one model that the list omits. `wanted`: the context window that the user set, in tokens. */
  look?(ask: Ask, model: string, listed: ServerModel | undefined, wanted?: number): Promise<Partial<ServerModel>>;
  /** Whether the server's prompt counts omit what it had read before. */
  countsPart?(ask: Ask): Promise<boolean>;
  /** Whether the server is of this kind, and not a different one with the same API. May reject to say no. */
  isServer?(ask: Ask): Promise<boolean>;
  /** Makes the server download a model. Rejects with a `ServerRefusalError`, or as `Follow` does. */
  pull?(follow: Follow, model: string, onProgress: (progress: PullProgress) => void): Promise<void>;
  /**
   * Makes the server load a listed model that is not in memory, and returns how it runs then. Undefined: the server
   * does not list it, or loads nothing on request. Rejects with a `ServerRefusalError`, or as `Ask` does.
   */
  load?(asks: LoadAsks, options: LoadOptions): Promise<Partial<ServerModel> | undefined>;
  /** We choose the context window, up to the model's own. */
  choosesContextWindow?: true;
  /** An unknown model name is an error instead of being ignored. */
  namesAreBinding?: true;
}

/**
 * The context window of a local model if nothing else is known. A smaller one holds hardly more than the instructions.
 */
export const MIN_USEFUL_CONTEXT_WINDOW = 8_192;

const NO_CHAT = /embed|rerank|whisper|\btts\b|dall-e|moderation|transcribe|realtime|gpt-image|sora|davinci|babbage/i;

export function canChat({ id }: ServerModel): boolean {
  return id !== "" && !NO_CHAT.test(id);
}

/** Any web server may be listening on the usual ports; one without a list is not the wanted one. */
export function entriesOf(value: unknown): JsonRecord[] {
  if (!Array.isArray(value)) throw new WrongApiError("something else than a list of models");
  return value.map(asRecord);
}

export function positive(value: unknown): number | undefined {
  return asCount(value) || undefined;
}

/** Undefined if nothing is known about any. */
export function abilitiesOf(found: { [Key in keyof ModelAbilities]: boolean | undefined }): ModelAbilities | undefined {
  const abilities = withoutUndefined(found);
  return Object.keys(abilities).length > 0 ? abilities : undefined;
}

/** True or false; undefined for anything else. */
export function flag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}
