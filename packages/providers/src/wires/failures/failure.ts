import type { RefusedFor } from "@harness/core";
import { retryAfterMs } from "@harness/host";
import { addressName } from "../endpoint/address-name.ts";
import { LoginError } from "../endpoint/login-session.ts";
import { firstByteMs, HttpError } from "../http/exchange.ts";

import { TooLongError } from "../reply/too-long.ts";
import { type ErrorText, readErrorBody, withoutSecrets } from "./error-text.ts";
import type { ExplainedFailure, FailedRequest } from "./explained.ts";
import {
  type FailureContext,
  type FailureRule,
  failureRules,
  loadingRule,
  NO_CREDIT,
  noCreditRule,
  overflowRule,
  pictureRule,
  requestRule,
  serverRule,
} from "./failure-rules.ts";
import { isLoading, mayBeStarting } from "./loading-patterns.ts";
import { isOverflow, LARGE_REQUEST, mayBeOverflow } from "./overflow-patterns.ts";
import { BAD_PICTURE, CALL_PAIRS, UNDECODABLE } from "./refusal-patterns.ts";
import { isTransportError, transportFailure } from "./transport-failure.ts";

/** The server put an error object into a stream that had started normally. */
export class StreamError extends Error {
  readonly error: ErrorText;

  constructor(error: ErrorText) {
    super(error.message);
    this.error = error;
  }
}

/** The stream ended, or became unreadable, before the server marked the reply as complete. */
export class BrokenStreamError extends Error {}

/** The address answers, but not with the requested API. `what` completes "It answered with …". */
export class WrongApiError extends Error {
  readonly what: string;

  constructor(what: string) {
    super(what);
    this.what = what;
  }
}

/** Explains to people what went wrong, where, and what to do. Secrets that a server repeats are removed. */
export function explain(cause: unknown, request: FailedRequest, secret = request.endpoint.key): ExplainedFailure {
  const { failure, ...rest } = classify(cause, request);
  return { failure: { ...failure, message: withoutSecrets(failure.message, secret) }, ...rest };
}

function classify(cause: unknown, request: FailedRequest): ExplainedFailure {
  const { vendor, shown, addressFlag } = request.endpoint;
  if (cause instanceof HttpError) return httpFailure(cause, request);
  if (cause instanceof StreamError) {
    const { error } = cause;
    return byStatus(error.status ?? guessStatus(error), {
      error,
      request,
      status: undefined,
      waitMs: undefined,
      sent: undefined,
    });
  }
  if (cause instanceof WrongApiError) {
    const message =
      `${vendor.name} at ${shown} does not speak the expected API: it answered with ${cause.what}. ` +
      `Check the address in ${addressName(vendor, addressFlag)}; it usually looks like ${vendor.baseUrl}.`;
    return { failure: { kind: "badRequest", message }, retryable: false };
  }
  if (cause instanceof LoginError) return { failure: { kind: "auth", message: cause.message }, retryable: false };
  if (cause instanceof BrokenStreamError || isTransportError(cause)) return transportFailure(cause, request);
  if (cause instanceof TooLongError) {
    const message = `${vendor.name} at ${shown} sent ${cause.message}, which is more than harness reads. Ask for less, or choose another model.`;
    return { failure: { kind: "network", message }, retryable: false };
  }
  const words = cause instanceof Error ? cause.message : String(cause);
  const message = `The request to ${vendor.name} at ${shown} failed because of an error in harness: ${words}`;
  return { failure: { kind: "internal", message }, retryable: false };
}

function httpFailure(failed: HttpError, request: FailedRequest): ExplainedFailure {
  const error = readErrorBody(failed.body);
  const { status } = failed;
  // Cerebras answers an overlong prompt with a bare 400.
  const isBare = failed.body.trim() === "" && failed.sent > LARGE_REQUEST;
  if (status === 413 || (status === 400 && isBare)) {
    const rule = isAboutPicture(status, textOf(error)) ? pictureRule : overflowRule;
    return byRule(rule, status, { error, request, status, waitMs: undefined, sent: failed.sent });
  }
  if (status >= 300 && status < 400) return redirected(failed, request);
  const waitMs = retryAfterMs(failed.headers, request.now);
  const context = { error, request, status, waitMs: waitMs || undefined, sent: failed.sent };
  if (isLoading(status, textOf(error)) && !isOverflow(textOf(error)))
    return { ...byRule(loadingRule, status, context), loadingMs: firstByteMs(request.endpoint) };
  const explained = startable(byStatus(status, context), status, request);
  if (!explained.retryable || waitMs === undefined) return explained;
  return { ...explained, failure: { ...explained.failure, retryAfterMs: waitMs } };
}

function startable(explained: ExplainedFailure, status: number, { endpoint }: FailedRequest): ExplainedFailure {
  const isStarting = explained.retryable && endpoint.near && mayBeStarting(status);
  return isStarting ? { ...explained, mayBeStarting: true } : explained;
}

function byStatus(status: number, context: FailureContext): ExplainedFailure {
  const words = textOf(context.error);
  const rule =
    failureRules.find((each) => each.statuses.includes(status) && (each.words?.test(words) ?? true)) ??
    (status !== 429 && isOverflow(words) ? overflowRule : undefined) ??
    (isAboutPicture(status, words) ? pictureRule : undefined) ??
    (REFUSING.has(status) && mayBeOverflow(words, context.sent ?? 0) ? overflowRule : undefined) ??
    (NO_CREDIT.test(words) ? noCreditRule : undefined) ??
    (status >= 500 || RETRIED.has(status) ? serverRule : requestRule);
  return byRule(rule, status, context);
}

/** Refusals, and the statuses of local servers that cannot load what they were sent. */
const MAY_MEAN_PICTURE: ReadonlySet<number> = new Set([400, 404, 413, 415, 422, 500]);

function isAboutPicture(status: number, words: string): boolean {
  if (!MAY_MEAN_PICTURE.has(status) || !BAD_PICTURE.test(words) || isOverflow(words)) return false;
  return status < 500 || UNDECODABLE.test(words);
}

/** For a request that would be refused again as it is. */
function refusedFor(rule: FailureRule, status: number, words: string): RefusedFor | undefined {
  const isGuess = rule === overflowRule && !isOverflow(words);
  if (!isGuess && rule !== requestRule && rule !== pictureRule && rule.kind !== "refused") return undefined;
  if (isAboutPicture(status, words)) return "picture";
  return [400, 413, 422].includes(status) && rule.kind !== "refused" ? "unclear" : undefined;
}

function textOf({ codes, message }: ErrorText): string {
  return `${codes} ${message}`;
}

function byRule(rule: FailureRule, status: number, context: FailureContext): ExplainedFailure {
  const { kind, attempts, retryable = false } = rule;
  const failure = { kind, message: rule.message(context) };
  const words = textOf(context.error);
  const refusal = rule.refusal ?? (kind === "badRequest" && CALL_PAIRS.test(words) ? "call_pairs" : undefined);
  const cause = refusal ? undefined : refusedFor(rule, status, words);
  return {
    ...{ failure, retryable },
    ...(attempts && { attempts }),
    ...(refusal && { refusal, refusedWith: words }),
    ...(cause && { refusedFor: cause }),
  };
}

/** llama-cpp-python and others refuse overlong prompts with 500. */
const REFUSING: ReadonlySet<number> = new Set([400, 413, 422, 500]);
const RETRIED: ReadonlySet<number> = new Set([408, 409, 425]);

function redirected(failed: HttpError, request: FailedRequest): ExplainedFailure {
  const { vendor, shown, addressFlag } = request.endpoint;
  const target = failed.headers.location ?? "another place";
  const message =
    `${vendor.name} at ${shown} redirects requests to ${target} (${failed.status}). ` +
    `Set ${addressName(vendor, addressFlag)} to the right address.`;
  return { failure: { kind: "badRequest", message }, retryable: false };
}

/** Names of errors inside streams; `…_error` are the types of Anthropic's API ("Errors"). */
const STATUS_WORDS: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|too many requests/i, 429],
  [/authentication_error|invalid_api_key|incorrect api key/i, 401],
  [/billing_error/, 402],
  [/permission_error/, 403],
  [/not_found_error/, 404],
  [/invalid_request|bad_request|request_too_large/i, 400],
];

/** An error inside a stream often has no status; without a hint it counts as server trouble. */
function guessStatus(error: ErrorText): number {
  const words = textOf(error);
  return STATUS_WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 500;
}
