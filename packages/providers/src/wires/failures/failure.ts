import type { Failure } from "@harness/protocol";
import { addressName } from "../endpoint/address-name.ts";
import { LoginProblem } from "../endpoint/login-session.ts";
import { HttpFailure } from "../http/exchange.ts";
import { retryAfterMs } from "../http/retry-after.ts";
import { TooLong } from "../reply/too-long.ts";
import { type ErrorText, readErrorBody, withoutSecrets } from "./error-text.ts";
import type { Asked, Explained, Refusal } from "./explained.ts";
import { isOverflow } from "./overflow-patterns.ts";
import { CALL_PAIRS, NO_IMAGES, NO_TOOLS } from "./refusal-patterns.ts";
import { isTransportError, transportFailure } from "./transport-failure.ts";

/** The server put an error object into a stream that began well. */
export class StreamFailure extends Error {
  readonly error: ErrorText;

  constructor(error: ErrorText) {
    super(error.message);
    this.error = error;
  }
}

/** The stream ended, or became unreadable, before the server said that the reply is complete. */
export class BrokenStream extends Error {}

/** The address answers, but not with the API that was asked for. `what` completes "It answered with …". */
export class NotTheApi extends Error {
  readonly what: string;

  constructor(what: string) {
    super(what);
    this.what = what;
  }
}

/** Explains to people what went wrong, where, and what to do. Secrets that a server repeats are removed. */
export function explain(cause: unknown, asked: Asked, secret = asked.endpoint.key): Explained {
  const { failure, ...rest } = classify(cause, asked);
  return { failure: { ...failure, message: withoutSecrets(failure.message, secret) }, ...rest };
}

function classify(cause: unknown, asked: Asked): Explained {
  const { vendor, shown } = asked.endpoint;
  if (cause instanceof HttpFailure) return httpFailure(cause, asked);
  if (cause instanceof StreamFailure) {
    const { error } = cause;
    return byStatus(error.status ?? guessStatus(error), { error, asked, status: undefined, waitMs: undefined });
  }
  if (cause instanceof NotTheApi) {
    const message =
      `${vendor.name} at ${shown} does not speak the expected API: it answered with ${cause.what}. ` +
      `Check the address in ${addressName(vendor)}; it usually looks like ${vendor.baseUrl}.`;
    return { failure: { kind: "badRequest", message }, retryable: false };
  }
  if (cause instanceof LoginProblem) return { failure: { kind: "auth", message: cause.message }, retryable: false };
  if (cause instanceof BrokenStream || isTransportError(cause)) return transportFailure(cause, asked);
  if (cause instanceof TooLong) {
    const message = `${vendor.name} at ${shown} sent ${cause.message}, which is more than harness reads. Ask for less, or choose another model.`;
    return { failure: { kind: "network", message }, retryable: false };
  }
  const words = cause instanceof Error ? cause.message : String(cause);
  const message = `The request to ${vendor.name} at ${shown} failed because of an error in harness: ${words}`;
  return { failure: { kind: "internal", message }, retryable: false };
}

function httpFailure(failed: HttpFailure, asked: Asked): Explained {
  const error = readErrorBody(failed.body);
  const { status } = failed;
  // Cerebras answers a prompt that is too long with a bare 400.
  const isBare = failed.body.trim() === "" && failed.sent > BARE_OVERFLOW;
  if (status === 413 || (status === 400 && isBare))
    return byRule(overflowRule, { error, asked, status, waitMs: undefined });
  if (status >= 300 && status < 400) return redirected(failed, asked);
  const waitMs = retryAfterMs(failed.headers, asked.now);
  const explained = byStatus(status, { error, asked, status, waitMs: waitMs || undefined });
  if (!explained.retryable || waitMs === undefined) return explained;
  return { ...explained, failure: { ...explained.failure, retryAfterMs: waitMs } };
}

/** Characters of a request below which no window is too small. */
const BARE_OVERFLOW = 24_000;

function byStatus(status: number, context: Context): Explained {
  const words = textOf(context.error);
  const rule =
    rules.find((each) => each.statuses.includes(status) && (each.words?.test(words) ?? true)) ??
    (status !== 429 && isOverflow(words) ? overflowRule : undefined) ??
    (NO_CREDIT.test(words) ? noCreditRule : undefined) ??
    (status >= 500 || RETRIED.has(status) ? serverRule : requestRule);
  return byRule(rule, context);
}

function textOf({ codes, message }: ErrorText): string {
  return `${codes} ${message}`;
}

function byRule(rule: Rule, context: Context): Explained {
  const { kind, attempts, retryable = false } = rule;
  const failure = { kind, message: rule.message(context) };
  const refusal =
    rule.refusal ?? (kind === "badRequest" && CALL_PAIRS.test(textOf(context.error)) ? "call_pairs" : undefined);
  return { failure, retryable, ...(attempts && { attempts }), ...(refusal && { refusal }) };
}

const RETRIED: ReadonlySet<number> = new Set([408, 409, 425]);
const NO_CREDIT =
  /insufficient[_ ](quota|credits?|funds|balance)|out of credits?|billing hard limit|credit balance|requires more credits/i;

/** `status` is undefined when the error came inside a stream. */
type Context = { error: ErrorText; asked: Asked; status: number | undefined; waitMs: number | undefined };

type Rule = {
  kind: Failure["kind"];
  statuses: readonly number[];
  words?: RegExp;
  retryable?: true;
  attempts?: number;
  refusal?: Refusal;
  message(context: Context): string;
};

const overflowRule: Rule = {
  kind: "overflow",
  statuses: [],
  message: (context) =>
    `The conversation is too long for ${context.asked.model} at ${where(context)}. ` +
    `Shorten it with /compact, or choose a model with a larger context window.${quoted(context)}`,
};

const noCreditRule: Rule = {
  kind: "auth",
  statuses: [402],
  message: (context) =>
    `The account at ${where(context)} has no credit left${code(context)}. Add some, or choose another model.${quoted(context)}`,
};

const serverRule: Rule = {
  kind: "network",
  statuses: [],
  retryable: true,
  message: (context) =>
    `${where(context)} failed${code(context)}. The problem is on its side: try again later.${quoted(context)}`,
};

const requestRule: Rule = {
  kind: "badRequest",
  statuses: [],
  message: (context) =>
    `${where(context)} did not accept the request for ${context.asked.model}${code(context)}.${quoted(context)}`,
};

const noModelRule: Rule = {
  kind: "badRequest",
  refusal: "no_model",
  statuses: [400, 404],
  words:
    /not_found_error model:|model.{0,80}(not found|does not exist|is not available|not exist)|model_not_found|not a valid model|no such model|invalid model|unknown model|No endpoints found for|try pulling it/is,
  message: (context) =>
    `${where(context)} has no model ${JSON.stringify(context.asked.model)}. ${context.asked.endpoint.vendor.models}${quoted(context)}`,
};

const noRoomRule: Rule = {
  kind: "badRequest",
  statuses: [400],
  words: /more system memory|out of memory|insufficient memory/i,
  message: (context) =>
    `${context.asked.model} does not fit into the memory of ${where(context)}: choose a smaller model.${quoted(context)}`,
};

/** Errors of Groq, and of Gemini as the reader of chat completions reports them. Another try may succeed. */
const MALFORMED_CALL = /tool_use_failed|wrote a call that cannot be read/i;

/** Gemini and xAI refuse a wrong key with 400. */
const WRONG_KEY =
  /API[ _]key[ _](not valid|expired|not found|invalid)|(incorrect|invalid)[ _](x-)?api[ _-]?key|valid API key|missing or invalid authorization/i;

/** The rules in order of precedence. */
const rules: readonly Rule[] = [
  noCreditRule,
  { ...noCreditRule, statuses: [429, 403], words: NO_CREDIT },
  {
    kind: "refused",
    statuses: [403, 400],
    words: /moderation|flagged|content.?policy|content.?filter/i,
    message: (context) => `${where(context)} refused the content of the request${code(context)}.${quoted(context)}`,
  },
  // The key is good, but it does not open this model.
  { ...noModelRule, statuses: [403], words: /model_not_found|not have access to (the )?model/i },
  { kind: "auth", statuses: [401, 403], message: sayAuth },
  { kind: "auth", statuses: [400], words: WRONG_KEY, message: sayAuth },
  {
    kind: "rateLimit",
    statuses: [429],
    retryable: true,
    message: (context) => `${where(context)}: rate limit reached${code(context)}.${wait(context)}${quoted(context)}`,
  },
  noModelRule,
  noRoomRule,
  // Status 500 may mean anything: only these exact messages are permanent.
  { ...noModelRule, statuses: [500], words: /model_not_found|try pulling it|model ["'`][^"'`]+["'`] not found/i },
  { ...noRoomRule, statuses: [500], words: /requires more system memory/i },
  {
    kind: "network",
    statuses: [400, 500],
    words: MALFORMED_CALL,
    retryable: true,
    attempts: 2,
    message: (context) =>
      `${context.asked.model} wrote a tool call that ${where(context)} could not read. Try again, or choose another model.${quoted(context)}`,
  },
  {
    kind: "badRequest",
    statuses: [400, 404, 422, 500],
    words: NO_TOOLS,
    refusal: "no_tools",
    message: (context) =>
      `${context.asked.model} at ${where(context)} cannot use tools: choose a model that can.${quoted(context)}`,
  },
  {
    kind: "badRequest",
    statuses: [400, 404, 415, 422, 500],
    words: NO_IMAGES,
    refusal: "no_images",
    message: (context) =>
      `${context.asked.model} at ${where(context)} cannot see images: choose a model that can.${quoted(context)}`,
  },
  {
    kind: "badRequest",
    statuses: [404, 405],
    message: (context) =>
      `${where(context)} does not know this request${code(context)}. Check the address in ` +
      `${addressName(context.asked.endpoint.vendor)}; it usually looks like ${context.asked.endpoint.vendor.baseUrl}.${quoted(context)}`,
  },
];

function sayAuth(context: Context): string {
  const { key, login, vendor } = context.asked.endpoint;
  if (login) {
    return (
      `${where(context)} did not accept the login${code(context)}. ` +
      `Log in again: harness auth login ${vendor.id}.${quoted(context)}`
    );
  }
  const what = key === undefined ? "requires an API key" : "did not accept the API key";
  return (
    `${where(context)} ${what}${code(context)}. ` +
    `Set ${vendor.keyEnv} to a valid one in the environment or in a .env file, or run \`harness auth set ${vendor.id}\`.${quoted(context)}`
  );
}

function redirected(failed: HttpFailure, asked: Asked): Explained {
  const { vendor, shown } = asked.endpoint;
  const target = failed.headers.location ?? "another place";
  const message =
    `${vendor.name} at ${shown} redirects requests to ${target} (${failed.status}). ` +
    `Set ${addressName(vendor)} to the right address.`;
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

/** An error inside a stream often has no status; without a hint it is the server's own trouble. */
function guessStatus(error: ErrorText): number {
  const words = textOf(error);
  return STATUS_WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 500;
}

function where({ asked }: Context): string {
  return `${asked.endpoint.vendor.name} at ${asked.endpoint.shown}`;
}

function code({ status }: Context): string {
  return status === undefined ? "" : ` (${status})`;
}

function quoted({ error }: Context): string {
  return error.message === "" ? "" : ` It says: ${JSON.stringify(error.message)}`;
}

function wait({ waitMs }: Context): string {
  if (waitMs === undefined) return "";
  const seconds = Math.ceil(waitMs / 1000);
  if (seconds < 120) return ` It asks to wait ${seconds} s.`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? ` It asks to wait ${minutes} minutes.` : ` It asks to wait ${Math.ceil(minutes / 60)} hours.`;
}
