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
   * Fields of the body that a server may refuse, and how it complains about them; the request is then sent without
   * them. A dot leads into a field. The first match is omitted, then the request is retried.
   */
  readonly optional: Readonly<Record<string, RegExp>>;
  /** Variants of the body that a server may demand by refusing the usual one; the request is then sent in that form. */
  readonly forms?: BodyForms;
  framing(): Framing;
  /** Headers of each request, including the credentials; absent: `authorization: Bearer …`. */
  headers?(access: Access, endpoint: Endpoint): Record<string, string>;
  body(request: ModelRequest, endpoint: Endpoint): Record<string, unknown>;
  /** Sends with the vendor's client. Its return value and exceptions do not matter: the exchange knows the outcome. */
  send(call: WireCall): Promise<unknown>;
  reader(draft: ReplyDraft, endpoint?: Endpoint): WireReader;
}

export interface WireReader {
  /** Reads one event of any shape. Throws `StreamError` if it is an error. */
  read(value: unknown, name: string | undefined): void;
  /** The stream is over and complete. */
  finish(): void;
}

/** A failure with details that only a provider's wrappers need: the retry, and alternative requests. */
export type WireFailure = Extract<ModelEvent, { type: "failed" }> & Partial<Omit<ExplainedFailure, "failure">>;
export type WireEvent = Exclude<ModelEvent, { type: "failed" }> | WireFailure;

export interface WireProvider extends Provider {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<WireEvent>;
}

/** `random` returns numbers from 0 up to 1. */
export type Ports = { clock: Clock; random(): number };
