import type { Failure } from "@harness/protocol";
import { addressName } from "../endpoint/address-name.ts";
import type { ErrorText } from "./error-text.ts";
import type { FailedRequest, Refusal } from "./explained.ts";
import { NO_IMAGES, NO_TOOLS, TOOL_SCHEMA } from "./refusal-patterns.ts";

export const NO_CREDIT =
  /insufficient[_ ](quota|credits?|funds|balance)|out of credits?|billing hard limit|credit balance|requires more credits/i;

/** `status` is undefined when the error came inside a stream. */
export type FailureContext = {
  error: ErrorText;
  request: FailedRequest;
  status: number | undefined;
  waitMs: number | undefined;
  /** Characters of the request; undefined: unknown. */
  sent: number | undefined;
};

export type FailureRule = {
  kind: Failure["kind"];
  statuses: readonly number[];
  words?: RegExp;
  retryable?: true;
  attempts?: number;
  refusal?: Refusal;
  message(context: FailureContext): string;
};

export const overflowRule: FailureRule = {
  kind: "overflow",
  statuses: [],
  message: (context) =>
    `The conversation is too long for ${context.request.model} ${inside(context)}. ` +
    `Shorten it with /compact, or choose a model with a larger context window.${quoted(context)}`,
};

/** Applies after waiting as long as for any first byte. */
export const loadingRule: FailureRule = {
  kind: "network",
  statuses: [],
  message: (context) =>
    `${where(context)} has not loaded ${context.request.model || "a model"}${code(context)}. ` +
    `Load it there, or choose another model.${quoted(context)}`,
};

export const noCreditRule: FailureRule = {
  kind: "auth",
  statuses: [402],
  message: (context) =>
    `The account ${inside(context)} has no credit left${code(context)}. Add some, or choose another model.${quoted(context)}`,
};

export const serverRule: FailureRule = {
  kind: "network",
  statuses: [],
  retryable: true,
  message: (context) =>
    `${where(context)} failed${code(context)}. The problem is on its side: try again later.${quoted(context)}`,
};

export const requestRule: FailureRule = {
  kind: "badRequest",
  statuses: [],
  message: (context) =>
    `${where(context)} did not accept the request for ${context.request.model}${code(context)}.${quoted(context)}`,
};

export const pictureRule: FailureRule = {
  kind: "badRequest",
  statuses: [],
  message: (context) =>
    `${where(context)} did not accept an image of the request for ${context.request.model}${code(context)}.${quoted(context)}`,
};

const noModelRule: FailureRule = {
  kind: "badRequest",
  refusal: "no_model",
  statuses: [400, 404],
  words:
    /not_found_error model:|model.{0,80}(not found|does not exist|is not available|not exist)|model_not_found|not a valid model|no such model|invalid model|unknown model|No endpoints found for|try pulling it/is,
  message: (context) =>
    `${where(context)} has no model ${JSON.stringify(context.request.model)}. ${context.request.endpoint.vendor.models}${quoted(context)}`,
};

const noRoomRule: FailureRule = {
  kind: "badRequest",
  statuses: [400],
  words: /more system memory|out of memory|insufficient memory/i,
  message: (context) =>
    `${context.request.model} does not fit into the memory of ${where(context)}: choose a smaller model.${quoted(context)}`,
};

/** Errors of Groq, and of Gemini as the chat completions reader reports them. Another try may succeed. */
const MALFORMED_CALL = /tool_use_failed|wrote a call that cannot be read/i;

/** Errors of chat templates: the same conversation fails again. */
const TEMPLATE = /\bjinja\b|chat.?template|conversation roles must|raise_exception/i;

/** Gemini and xAI refuse a wrong key with 400. */
const WRONG_KEY =
  /API[ _]key[ _](not valid|expired|not found|invalid)|(incorrect|invalid)[ _](x-)?api[ _-]?key|valid API key|missing or invalid authorization/i;

/** The rules in order of precedence. */
export const failureRules: readonly FailureRule[] = [
  noCreditRule,
  { ...noCreditRule, statuses: [429, 403], words: NO_CREDIT },
  {
    kind: "refused",
    statuses: [403, 400],
    words: /moderation|flagged|content.?policy|content.?filter/i,
    message: (context) => `${where(context)} refused the content of the request${code(context)}.${quoted(context)}`,
  },
  // The key is valid, but has no access to this model.
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
      `${context.request.model} wrote a tool call that ${where(context)} could not read. Try again, or choose another model.${quoted(context)}`,
  },
  {
    kind: "badRequest",
    statuses: [400, 404, 422, 500],
    words: NO_TOOLS,
    refusal: "no_tools",
    message: (context) =>
      `${context.request.model} ${inside(context)} cannot use tools: choose a model that can.${quoted(context)}`,
  },
  {
    kind: "badRequest",
    statuses: [400, 404, 415, 422, 500],
    words: NO_IMAGES,
    refusal: "no_images",
    message: (context) =>
      `${context.request.model} ${inside(context)} cannot see images: choose a model that can.${quoted(context)}`,
  },
  {
    kind: "badRequest",
    statuses: [500],
    words: TEMPLATE,
    message: (context) =>
      `The chat template of ${context.request.model} ${inside(context)} does not take this conversation. ` +
      `Start a new session, or choose another model or template.${quoted(context)}`,
  },
  {
    kind: "badRequest",
    statuses: [400, 422, 500],
    words: TOOL_SCHEMA,
    refusal: "tool_schema",
    message: (context) =>
      `${where(context)} did not accept the tools of the request for ${context.request.model}${code(context)}. ` +
      `Turn off the plugin or MCP server whose tool it means, or choose another model.${quoted(context)}`,
  },
  {
    kind: "badRequest",
    statuses: [404, 405],
    message: (context) =>
      `${where(context)} does not know this request${code(context)}. Check the address in ` +
      `${addressName(context.request.endpoint.vendor, context.request.endpoint.addressFlag)}; it usually looks like ${context.request.endpoint.vendor.baseUrl}.${quoted(context)}`,
  },
];

function sayAuth(context: FailureContext): string {
  const { key, login, vendor } = context.request.endpoint;
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

function where({ request }: FailureContext): string {
  return `${request.endpoint.vendor.name} at ${request.endpoint.shown}`;
}

/** The same within a sentence. */
function inside(context: FailureContext): string {
  const { isThisMachine, shown } = context.request.endpoint;
  return isThisMachine ? `at ${shown}` : `at ${where(context)}`;
}

function code({ status }: FailureContext): string {
  return status === undefined ? "" : ` (${status})`;
}

function quoted({ error }: FailureContext): string {
  return error.message === "" ? "" : ` It says: ${JSON.stringify(error.message)}`;
}

function wait({ waitMs }: FailureContext): string {
  if (waitMs === undefined) return "";
  const seconds = Math.ceil(waitMs / 1000);
  if (seconds < 120) return ` It asks to wait ${seconds} s.`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? ` It asks to wait ${minutes} minutes.` : ` It asks to wait ${Math.ceil(minutes / 60)} hours.`;
}
