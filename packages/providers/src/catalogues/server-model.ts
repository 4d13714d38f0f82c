import type { ModelAbilities, Price } from "@harness/protocol";
import { asCount, asRecord, defined, type JsonRecord } from "../json/lenient-json.ts";
import { WrongApiError } from "../wires/failures/failure.ts";

/** A server's report on one of its models. Unknown fields are absent. */
export type ServerModel = {
  id: string;
  /** Whether it is in memory now. */
  loaded?: boolean;
  /** It is not, and its server loads it when it is asked to (`Catalogue.load`). */
  loads?: true;
  /** The window the server has for a conversation with it. */
  contextWindow?: number;
  /** The most that a reply may have. */
  outputTokens?: number;
  /** Requests that the server works on at a time; the others wait. Absent: as many as come. */
  slots?: number;
  /** Its server's counts of a prompt leave out what it had read before. */
  countsPart?: true;
  abilities?: ModelAbilities;
  price?: Price;
};

/** Paths are relative to the server's root, which is the base URL without `/v1`. Rejects when there is no answer. */
export type Ask = (path: string, body?: unknown) => Promise<unknown>;

/** The same for work that is reported on in lines, each a value of JSON. */
export type Follow = (path: string, body: unknown) => AsyncIterable<unknown>;

/** How far a download is. `status` is in the server's words; bytes are of all that is known to come. */
export type PullProgress = { status: string; completed?: number; total?: number };

/** `look` is answered soon or not at all; `work` may take minutes. */
export type LoadAsks = { look: Ask; work: Ask };

/** `contextWindow`: as the person set it, in tokens. `onLoading` is called where the model is not in memory. */
export type LoadOptions = { model: string; contextWindow?: number | undefined; onLoading(): void };

/** The server said why it does not do what it was asked for. */
export class ServerRefusalError extends Error {}

export interface Catalogue {
  /** Lists the models that can chat, in the server's order. */
  list(ask: Ask): Promise<ServerModel[]>;
  /** Facts about one model that the list leaves out. `wanted`: the context window that the person set, in tokens. */
  look?(ask: Ask, model: string, listed: ServerModel | undefined, wanted?: number): Promise<Partial<ServerModel>>;
  /** Whether the server's counts of a prompt leave out what it had read before. */
  countsPart?(ask: Ask): Promise<boolean>;
  /** Whether the server is of this kind, and not a different one with the same API. May reject to say no. */
  isServer?(ask: Ask): Promise<boolean>;
  /** Lets the server download a model. Rejects with a `ServerRefusalError`, or as `Follow` does. */
  pull?(follow: Follow, model: string, onProgress: (progress: PullProgress) => void): Promise<void>;
  /**
   * Lets the server load a model that it lists and has not in memory, and says how it runs then. undefined: it does not list it,
   * or loads nothing on request. Rejects with a `ServerRefusalError`, or as `Ask` does.
   */
  load?(asks: LoadAsks, options: LoadOptions): Promise<Partial<ServerModel> | undefined>;
  /** The window is ours to choose, up to the model's own. */
  choosesContextWindow?: true;
  /** An unknown model is an error, rather than a name that is not looked at. */
  namesAreBinding?: true;
}

/**
 * The context window of a local model where nothing else is known. A smaller one holds hardly more than the
 * instructions.
 */
export const MIN_USEFUL_CONTEXT_WINDOW = 8_192;

const NO_CHAT = /embed|rerank|whisper|\btts\b|dall-e|moderation|transcribe|realtime|gpt-image|sora|davinci|babbage/i;

export function canChat({ id }: ServerModel): boolean {
  return id !== "" && !NO_CHAT.test(id);
}

/** Any web server may be listening on the usual ports; one that has no list is not the one that was looked for. */
export function entriesOf(value: unknown): JsonRecord[] {
  if (!Array.isArray(value)) throw new WrongApiError("something else than a list of models");
  return value.map(asRecord);
}

export function positive(value: unknown): number | undefined {
  return asCount(value) || undefined;
}

/** None when nothing is known of any. */
export function abilitiesOf(found: { [Key in keyof ModelAbilities]: boolean | undefined }): ModelAbilities | undefined {
  const abilities = defined(found);
  return Object.keys(abilities).length > 0 ? abilities : undefined;
}

/** True or false; undefined for anything else. */
export function flag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}
