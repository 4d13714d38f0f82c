import type { EmbeddingProblem } from "@harness/core";
import { addressName } from "../wires/endpoint/address-name.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { readErrorBody, withoutSecrets } from "../wires/failures/error-text.ts";
import { explain } from "../wires/failures/failure.ts";
import { isOverflow } from "../wires/failures/overflow-patterns.ts";
import { HttpError } from "../wires/http/exchange.ts";
import type { VectorFailure } from "./vector-source.ts";

/** More texts, or longer ones, than the server takes in one request. */
const TOO_LARGE: readonly RegExp[] = [
  /too large to process/i, // llama.cpp: more tokens than its physical batch
  /batch size.{0,40}(>|larger|exceed|at most|maximum|invalid)/is, // text-embeddings-inference, DashScope
  /(at most|up to|maximum (of )?) ?\d+ (requests|inputs|texts|items)/i, // Gemini, Cohere
  /too many (inputs|texts|tokens in batch|tokens overall|items)/i, // Mistral, text-embeddings-inference
  /input(s)? (array|list)? ?(is )?too (long|large|many)/i, // OpenAI
  /array too long|array_above_max_length/i, // OpenAI
  /max(imum)?[ _](allowed )?(tokens|batch)|maximum request size/i, // OpenAI: 300,000 tokens in one request
  /must have (less than|at most) \d+ tokens/i, // text-embeddings-inference
];

/** Ollama cannot write the vector of such a text as JSON. */
const NOT_A_NUMBER = /unsupported value: (NaN|[+-]?Inf)/i;

/** llama.cpp without `--embeddings`, a chat model in Ollama, and others. */
const NO_EMBEDDINGS =
  /(does not|doesn't|not) support embedding|--embeddings?\b|not an embedding model|embeddings? (api |endpoint )?(is |are )?(not (supported|enabled|available)|disabled)/i;

export type FailedEmbedding = { endpoint: Endpoint; model: string; now: number; secret: string | undefined };

/** Explains why there are no vectors: for people, and for the next attempt. */
export function embeddingFailure(cause: unknown, request: FailedEmbedding): VectorFailure {
  const { endpoint, model, now, secret } = request;
  if (cause instanceof HttpError) {
    const { codes, message } = readErrorBody(cause.body);
    const words = `${codes} ${message}`;
    const where = `${endpoint.vendor.name} at ${endpoint.shown}`;
    const says = message === "" ? "" : ` It says: ${JSON.stringify(withoutSecrets(message, secret))}`;
    if (isTooLarge(cause.status, words)) {
      return { type: "tooLarge", message: `${where} did not take a text of this length for ${model}.${says}` };
    }
    if (NOT_A_NUMBER.test(words)) {
      return {
        type: "unusable",
        message: `${model} has no vector for a text: it computes something that is not a number.`,
      };
    }
    if (NO_EMBEDDINGS.test(words)) {
      return gone(
        `${where} makes no embeddings with ${model}. Name an embedding model, or start its server for embeddings.${says}`,
      );
    }
    if (cause.status === 404 && !/model/i.test(words)) {
      const address = addressName(endpoint.vendor, endpoint.addressFlag);
      return gone(
        `${where} has no embeddings API (404). Check the address in ${address}, or choose another embedder.${says}`,
      );
    }
  }
  const { failure, retryable, awayMs, loadingMs } = explain(cause, { endpoint, model, now }, secret);
  const { kind, message, retryAfterMs } = failure;
  const problem: EmbeddingProblem = {
    kind: kindOf(kind, retryable || awayMs !== undefined || loadingMs !== undefined),
    message,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
  return { type: "failed", problem, isRetryable: retryable, ...(loadingMs !== undefined && { loadingMs }) };
}

function isTooLarge(status: number, words: string): boolean {
  if (status === 413) return true;
  if (![400, 422, 500].includes(status)) return false;
  return isOverflow(words) || TOO_LARGE.some((pattern) => pattern.test(words));
}

function gone(message: string): VectorFailure {
  return { type: "failed", problem: { kind: "gone", message }, isRetryable: false };
}

function kindOf(kind: string, mayComeBack: boolean): EmbeddingProblem["kind"] {
  if (kind === "auth" || kind === "rateLimit") return kind;
  if (kind === "network") return mayComeBack ? "network" : "gone";
  return kind === "internal" ? "badAnswer" : "gone";
}
