import type { Failure } from "@harness/protocol";
import type { Endpoint } from "../endpoint/endpoint.ts";

/** What was asked of whom, and when (wall clock). */
export type Asked = { endpoint: Endpoint; model: string; now: number };

/** Why a request was refused, where another way of asking, or a list of models, may help. */
export type Refusal = "no_model" | "no_tools" | "call_pairs";

export type Explained = {
  failure: Failure;
  /** May the same request succeed a moment later? */
  retryable: boolean;
  /** The most attempts that make sense, where that is fewer than usual. */
  attempts?: number;
  refusal?: Refusal;
};
