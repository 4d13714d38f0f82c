import type { Clock, ModelEvent, ModelRequest, Provider } from "@harness/core";
import type { Endpoint } from "./endpoint/endpoint.ts";
import type { ExplainedFailure } from "./failures/explained.ts";
import type { Access } from "./http/request-access.ts";
import type { ReplyDraft } from "./reply/reply-draft.ts";
import type { BodyForms } from "./request/body-form.ts";
import type { Framing } from "./sse/framing.ts";

/** The request of a wire API. */
export type WireCall = { body: Record<string, unknown>; endpoint: Endpoint; fetch: typeof fetch };

/** An API of model servers. Times, bytes, retries and failures are handled elsewhere. */
export interface WireApi {
  readonly contentType: RegExp;
  /**
   * Fields of the body that a server may refuse, and how it complains of them; the request is then sent without. A dot
   * leads into a field. The first one that fits is left out, then it is tried again.
   */
  readonly optional: Readonly<Record<string, RegExp>>;
  /** Other forms of the body, which a server may ask for by refusing the usual one; the request is then sent in that form. */
  readonly forms?: BodyForms;
  framing(): Framing;
  /** Headers of each request, with the credentials; absent: `authorization: Bearer …`. */
  headers?(access: Access, endpoint: Endpoint): Record<string, string>;
  body(request: ModelRequest, endpoint: Endpoint): Record<string, unknown>;
  /** Sends with the vendor's client. Its return value and exceptions do not matter: the exchange knows. */
  send(call: WireCall): Promise<unknown>;
  reader(draft: ReplyDraft, endpoint?: Endpoint): WireReader;
}

export interface WireReader {
  /** Reads one event of any shape. Throws `StreamFailure` when it is an error. */
  read(value: unknown, name: string | undefined): void;
  /** The stream is over and complete. */
  finish(): void;
}

/** A failure with what only the wrappers of a provider need to know: the retry, and other ways of asking. */
export type WireFailure = Extract<ModelEvent, { type: "failed" }> & Partial<Omit<ExplainedFailure, "failure">>;
export type WireEvent = Exclude<ModelEvent, { type: "failed" }> | WireFailure;

export interface WireProvider extends Provider {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<WireEvent>;
}

/** `random` gives numbers from 0 up to 1. */
export type Ports = { clock: Clock; random(): number };
