import type { RefusedFor } from "@harness/core";
import type { Failure } from "@harness/protocol";
import type { Endpoint } from "../endpoint/endpoint.ts";

/** The request that failed, and the wall-clock time. */
export type FailedRequest = { endpoint: Endpoint; model: string; now: number };

/** Why a request was refused, where another way of asking, or a list of models, may help. */
export type Refusal = "no_model" | "no_tools" | "no_images" | "tool_schema" | "call_pairs";

export type ExplainedFailure = {
  failure: Failure;
  /** Whether the same request may succeed a moment later. */
  retryable: boolean;
  /** The most attempts that make sense, where that is fewer than usual. */
  attempts?: number;
  refusal?: Refusal;
  /** Where leaving something out of the messages may help. */
  refusedFor?: RefusedFor;
  /** The server's own words of it, where what it names must be found. */
  refusedWith?: string;
  /** The server is loading its model: the same request is sent again until so much time has passed. */
  loadingMs?: number;
  /** A server nearby was not reached: one that was reached before may be restarting, and is asked again until so much time has passed. */
  awayMs?: number;
  /** There was a connection, perhaps a kept one, but it was lost. */
  wasConnected?: true;
  /** It took the connection and closed it at once. */
  isTurnedAway?: true;
  /** A server nearby may be starting: it is given a minute, unless the person has set how often to try. */
  mayBeStarting?: true;
};
