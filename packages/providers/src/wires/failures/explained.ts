import type { RefusedFor } from "@harness/core";
import type { Failure } from "@harness/protocol";
import type { Endpoint } from "../endpoint/endpoint.ts";

/** The request that failed, and the wall-clock time. */
export type FailedRequest = { endpoint: Endpoint; model: string; now: number };

/** Why a request was refused, if a different way of asking, or a list of models, may help. */
export type Refusal = "no_model" | "no_tools" | "no_images" | "tool_schema" | "call_pairs";

export type ExplainedFailure = {
  failure: Failure;
  /** Whether the same request may succeed a moment later. */
  retryable: boolean;
  /** The most useful number of attempts, if lower than usual. */
  attempts?: number;
  refusal?: Refusal;
  /** Present if omitting something from the messages may help. */
  refusedFor?: RefusedFor;
  /** The server's own words, if something that they name must be found. */
  refusedWith?: string;
  /** The server is loading its model: the same request is repeated until this much time has passed. */
  loadingMs?: number;
  /**
   * A nearby server was not reached. If it was reached before, it may be restarting and is asked again until this much
   * time has passed.
   */
  awayMs?: number;
  /** There was a connection, perhaps a kept one, but it was lost. */
  wasConnected?: true;
  /** It accepted the connection and closed it at once. */
  isTurnedAway?: true;
  /** A nearby server may be starting: it gets a minute, unless the user has set the number of retries. */
  mayBeStarting?: true;
};
