import { asList, asRecord, asText, isRecord, type JsonRecord, tryParseJson } from "../../json/lenient-json.ts";
import type { BodyForm, BodyForms } from "../request/body-form.ts";
import { shortId } from "../request/short-id.ts";
import { alternateRoles, joinedContent } from "./alternate-roles.ts";

/** The id length required by Mistral's chat templates. */
const SHORT_ID = 9;

/**
 * Variants of a conversation that chat completions servers, and the chat templates they use, demand. They are tried in
 * this order, and combined in it if a server demands several.
 */
export const chatForms: BodyForms = {
  // Gateways to Groq, Mistral and others that check each field of a message.
  no_reasoning: messageForm(
    /(reasoning_(content|details)|messages\S*reasoning)\W.{0,80}(unsupported|not (supported|allowed|permitted|expected)|unknown|unrecogni[sz]ed|extra|unexpected)|(unsupported|unknown|unrecogni[sz]ed|extra|unexpected).{0,80}(reasoning_(content|details)|messages\S*reasoning)/is,
    ({ reasoning_content, reasoning_details, reasoning, ...message }) =>
      reasoning_content === undefined && reasoning_details === undefined && reasoning === undefined
        ? undefined
        : message,
  ),
  // DeepSeek and gateways to it, with every message that has calls.
  reasoning_back: messageForm(
    /reasoning_content\W.{0,120}(must|missing|require|need|provide|passed back|not found|absent)|(must|missing|require|need|pass back).{0,80}reasoning_content/is,
    (message) =>
      message.role === "assistant" && hasCalls(message) && typeof message.reasoning_content !== "string"
        ? { ...message, reasoning_content: "" }
        : message,
  ),
  // GLM on Ollama Cloud, templates that join texts.
  text_content: messageForm(
    /\bcontents?\b(?!.{0,20}(polic|filter|moderat)).{0,120}(null|none|missing|require|string|undefined|nil\b)|(null|none\b|nil\b).{0,80}content|expected.{0,20}string.{0,60}(null|none)|NoneType|must be a string.{0,40}(null|none)|invalid type: null/is,
    (message) =>
      message.role === "assistant" && (message.content === null || message.content === undefined)
        ? { ...message, content: "" }
        : message,
  ),
  // Bedrock and its gateways.
  some_content: messageForm(
    /\bcontents?\b.{0,120}(empty|blank|at least (1|one)\b|too short|whitespace)|(empty|blank|whitespace).{0,60}(\bcontents?\b|text)|\btext\b.{0,40}(non-?empty|blank)/is,
    (message) => (isBlank(message.content) ? { ...message, content: fillers[asText(message.role)] ?? "." } : message),
  ),
  // Gemma's template, and older ones of Mistral.
  system_with_first: {
    wanted:
      /system.{0,10}(role|message|prompt|instruction).{0,40}(not? (be )?(supported|allowed|enabled)|unsupported)|(not support|unsupported|not enabled).{0,60}(system|developer)[^a-z]{0,3}(role|message|prompt|instruction)/is,
    write: (body) => {
      const [system, first, ...others] = messagesOf(body);
      if (system?.role !== "system" || first?.role !== "user") return body;
      const content = joinedContent(system.content, first.content);
      return { ...body, messages: [{ ...first, content }, ...others] };
    },
  },
  alternate_roles: {
    wanted:
      /roles?\b.{0,40}alternat|alternat.{0,60}roles?\b|after role .?(tool|user|assistant)|(consecutive|multiple|two|adjacent|same).{0,30}(roles?|user|assistant) messages?|messages?.{0,40}(consecutive|same role)|consecutive.{0,20}roles?/is,
    write: (body) => withMessages(body, alternateRoles(messagesOf(body))),
  },
  // Mistral's templates on local servers.
  short_ids: messageForm(/(call|tool).{0,20}\bids?\b.{0,80}(length|alphanumeric|characters|a-z)/is, withShortIds),
  // Templates that iterate over the arguments.
  object_arguments: messageForm(
    /item pairs from a mapping|arguments.{0,60}(must be|expected|should be|not).{0,20}(an? )?(valid )?(object|dict|mapping)|has no attribute .?items/is,
    withObjectArguments,
  ),
};

const fillers: Readonly<Record<string, string>> = { assistant: "OK.", tool: "(no output)", user: "(empty)" };

/**
 * A variant that rewrites each message by itself. `write` returns the same message, or undefined, if nothing changes.
 */
function messageForm(wanted: RegExp, write: (message: JsonRecord) => JsonRecord | undefined): BodyForm {
  return {
    wanted,
    write: (body) =>
      withMessages(
        body,
        messagesOf(body).map((message) => write(message) ?? message),
      ),
  };
}

function withMessages(body: Record<string, unknown>, messages: readonly JsonRecord[]): Record<string, unknown> {
  const before = messagesOf(body);
  const isSame = messages.length === before.length && messages.every((message, at) => message === before[at]);
  return isSame ? body : { ...body, messages };
}

function messagesOf({ messages }: Record<string, unknown>): JsonRecord[] {
  return asList(messages).map(asRecord);
}

function hasCalls({ tool_calls }: JsonRecord): boolean {
  return asList(tool_calls).length > 0;
}

function isBlank(content: unknown): boolean {
  if (Array.isArray(content)) return content.length === 0;
  return content === null || content === undefined || (typeof content === "string" && content.trim() === "");
}

function withShortIds(message: JsonRecord): JsonRecord {
  const short = (id: unknown) => (/^[a-z0-9]{9}$/i.test(asText(id)) ? id : shortId(asText(id), SHORT_ID));
  if (message.role === "tool") {
    const id = short(message.tool_call_id);
    return id === message.tool_call_id ? message : { ...message, tool_call_id: id };
  }
  const calls = asList(message.tool_calls).map(asRecord);
  if (calls.every(({ id }) => short(id) === id)) return message;
  return { ...message, tool_calls: calls.map((call) => ({ ...call, id: short(call.id) })) };
}

function withObjectArguments(message: JsonRecord): JsonRecord {
  const calls = asList(message.tool_calls).map(asRecord);
  if (!calls.some((call) => typeof asRecord(call.function).arguments === "string")) return message;
  return { ...message, tool_calls: calls.map(withObject) };
}

function withObject(call: JsonRecord): JsonRecord {
  const called = asRecord(call.function);
  const parsed = tryParseJson(asText(called.arguments));
  return { ...call, function: { ...called, arguments: parsed.ok && isRecord(parsed.value) ? parsed.value : {} } };
}
