import { asArray, asObject, type JsonMap, textValue } from "../../story/conversation.ts";
import { isSealed } from "../../story/seal.ts";
import type { RequestRefusal, ServerState } from "../wire.ts";
import { responsesItems, typeOf } from "./responses-conversation.ts";

/** The rules of POST /v1/responses, and the ChatGPT backend's additional ones. */
export function checkResponsesRequest(body: unknown, state: ServerState): RequestRefusal | undefined {
  const request = asObject(body);
  const items = responsesItems(request.input);
  return (
    checkFields(request) ??
    (state.flavour === "chatgpt" ? checkChatGpt(request) : undefined) ??
    checkModel(textValue(request.model), state) ??
    firstOf(items, (item, index) => checkItem(item, `input[${index}]`)) ??
    checkReasoning(items, request.store === false) ??
    checkPairs(items) ??
    firstOf(asArray(request.tools).map(asObject), checkTool)
  );
}

function bad(message: string, param: string | null, code: string | null = null, status = 400): RequestRefusal {
  return { status, message, type: "invalid_request_error", code, param };
}

function firstOf<Item>(
  items: readonly Item[],
  check: (item: Item, index: number) => RequestRefusal | undefined,
): RequestRefusal | undefined {
  for (const [index, item] of items.entries()) {
    const refusal = check(item, index);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

const fields = new Set([
  "background",
  // Undocumented; codex uses it to describe itself.
  "client_metadata",
  "conversation",
  "include",
  "input",
  "instructions",
  "max_output_tokens",
  "max_tool_calls",
  "metadata",
  "model",
  "parallel_tool_calls",
  "previous_response_id",
  "prompt",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "reasoning",
  "safety_identifier",
  "service_tier",
  "store",
  "stream",
  "stream_options",
  "temperature",
  "text",
  "tool_choice",
  "tools",
  "top_logprobs",
  "top_p",
  "truncation",
  "user",
]);

/** Fields of chat completions, with their names here. */
const moved: Readonly<Record<string, string>> = {
  messages: "input",
  max_tokens: "max_output_tokens",
  max_completion_tokens: "max_output_tokens",
  reasoning_effort: "reasoning.effort",
  response_format: "text.format",
};

function checkFields(request: JsonMap): RequestRefusal | undefined {
  for (const name of Object.keys(request)) {
    const now = moved[name];
    if (now !== undefined) {
      const where = `In the Responses API, this parameter has moved to '${now}'. Try again with the new parameter.`;
      return bad(`Unsupported parameter: '${name}'. ${where}`, name, "unsupported_parameter");
    }
    if (!fields.has(name)) return bad(`Unknown parameter: '${name}'.`, name, "unknown_parameter");
  }
  if (asObject(request.stream_options).include_usage !== undefined) {
    const param = "stream_options.include_usage";
    return bad(`Unknown parameter: '${param}'.`, param, "unknown_parameter");
  }
  if (textValue(request.model) === "") {
    return bad("Missing required parameter: 'model'.", "model", "missing_required_parameter");
  }
  if (responsesItems(request.input).length > 0) return undefined;
  const one = `One of "input" or "previous_response_id" or 'prompt' or 'conversation_id' must be provided.`;
  return bad(one, "input", "missing_required_parameter");
}

/** Undocumented requirements of the apps' backend, as found out by its clients. */
function checkChatGpt(request: JsonMap): RequestRefusal | undefined {
  if (request.store !== false) return bad("Store must be set to false", null);
  if (request.stream !== true) return bad("Stream must be set to true", null);
  if (textValue(request.instructions) === "") return bad("Instructions are required", null);
  const unsupported = ["max_output_tokens", "temperature", "top_p", "metadata", "user"].find((name) => name in request);
  return unsupported === undefined ? undefined : bad(`Unsupported parameter: ${unsupported}`, null);
}

function checkModel(model: string, { served }: ServerState): RequestRefusal | undefined {
  if (!served.closed || served.find(model) !== undefined) return undefined;
  return bad(`The requested model '${model}' does not exist.`, "model", "model_not_found");
}

const contentTypes: Readonly<Record<string, readonly string[]>> = {
  user: ["input_text", "input_image", "input_file"],
  system: ["input_text", "input_image", "input_file"],
  developer: ["input_text", "input_image", "input_file"],
  assistant: ["output_text", "refusal"],
};

/** The prefixes of ids by kind of item; an id may be omitted. */
const prefixes: Readonly<Record<string, string>> = { message: "msg", function_call: "fc", reasoning: "rs" };

function checkItem(item: JsonMap, at: string): RequestRefusal | undefined {
  const type = typeOf(item);
  const prefix = prefixes[type];
  if (prefix !== undefined && item.id !== undefined && !textValue(item.id).startsWith(prefix)) {
    const expected = `Expected an ID that begins with '${prefix}'.`;
    return bad(`Invalid '${at}.id': '${textValue(item.id)}'. ${expected}`, `${at}.id`, "invalid_value");
  }
  const required = (name: string) =>
    bad(`Missing required parameter: '${at}.${name}'.`, `${at}.${name}`, "missing_required_parameter");
  switch (type) {
    case "message":
      return checkMessage(item, at);
    case "function_call":
      for (const name of ["call_id", "name", "arguments"]) if (typeof item[name] !== "string") return required(name);
      return undefined;
    case "function_call_output":
      if (textValue(item.call_id) === "") return required("call_id");
      return item.output === undefined ? required("output") : checkParts(item.output, "user", `${at}.output`);
    case "reasoning":
      return item.summary === undefined ? required("summary") : undefined;
    default:
      return bad(`Invalid value: '${type}'. Supported values are: 'message', 'function_call', …`, at, "invalid_value");
  }
}

function checkMessage(item: JsonMap, at: string): RequestRefusal | undefined {
  const role = textValue(item.role);
  if (contentTypes[role] === undefined) {
    const supported = "Supported values are: 'assistant', 'system', 'developer', and 'user'.";
    return bad(`Invalid value: '${role}'. ${supported}`, at, "invalid_value");
  }
  return checkParts(item.content, role, `${at}.content`);
}

function checkParts(content: unknown, role: string, at: string): RequestRefusal | undefined {
  if (typeof content === "string") return undefined;
  if (!Array.isArray(content))
    return bad(`Invalid type for '${at}': expected one of an array of objects or string.`, at);
  const supported = contentTypes[role] ?? [];
  return firstOf(content.map(asObject), (part, index) => {
    const type = textValue(part.type);
    const where = `${at}[${index}]`;
    if (!supported.includes(type)) {
      const values = supported.map((one) => `'${one}'`).join(", ");
      return bad(`Invalid value: '${type}'. Supported values are: ${values}.`, where, "invalid_value");
    }
    // A string here; in chat completions it is an object.
    if (type === "input_image" && part.image_url !== undefined && typeof part.image_url !== "string") {
      return bad(`Invalid type for '${where}.image_url': expected an image URL, but got an object instead.`, where);
    }
    return undefined;
  });
}

/**
 * Reasoning is returned with the items that followed it, those items with their reasoning, and readable for the server.
 */
function checkReasoning(items: readonly JsonMap[], unstored: boolean): RequestRefusal | undefined {
  const following = ["message", "function_call", "reasoning"];
  let lastReasoning = "";
  for (const [index, item] of items.entries()) {
    const id = textValue(item.id);
    const type = typeOf(item);
    if (type === "function_call_output" || item.role === "user") lastReasoning = "";
    if (type === "reasoning") {
      const next = items[index + 1];
      const follows = next !== undefined && following.includes(typeOf(next)) && next.role !== "user";
      if (!follows)
        return bad(`Item '${id}' of type 'reasoning' was provided without its required following item.`, "input");
      const content = item.encrypted_content;
      if (typeof content === "string" && !isSealed("openai", content)) {
        const reason = "Reason: Encrypted content could not be decrypted or parsed.";
        return bad(
          `The encrypted content ${content.slice(0, 4)}... could not be verified. ${reason}`,
          null,
          "invalid_encrypted_content",
        );
      }
      if (typeof content !== "string" && unstored) {
        const why =
          "Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.";
        return bad(`Item with id '${id}' not found. ${why}`, "input", null, 404);
      }
      lastReasoning = id;
    } else if (/^(fc|msg)_r/.test(id) && lastReasoning === "") {
      const reasoning = id.replace(/^(?:fc|msg)_r(.*)_\d+$/, "rs_$1");
      return bad(
        `Item '${id}' of type '${type}' was provided without its required 'reasoning' item: '${reasoning}'.`,
        "input",
      );
    }
  }
  return undefined;
}

/** Every call has its output somewhere after it, and every output its call before it. */
function checkPairs(items: readonly JsonMap[]): RequestRefusal | undefined {
  const open = new Set<string>();
  for (const item of items) {
    const callId = textValue(item.call_id);
    if (typeOf(item) === "function_call") open.add(callId);
    if (typeOf(item) === "function_call_output" && !open.delete(callId)) {
      return bad(`No tool call found for function call output with call_id ${callId}.`, "input");
    }
  }
  const [left] = open;
  return left === undefined ? undefined : bad(`No tool output found for function call ${left}.`, "input");
}

/** A function is flat here; in chat completions it is nested. */
function checkTool(tool: JsonMap, index: number): RequestRefusal | undefined {
  if (tool.type !== "function") return undefined;
  const field = `tools[${index}].name`;
  const name = textValue(tool.name);
  if (name === "") return bad(`Missing required parameter: '${field}'.`, field, "missing_required_parameter");
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return undefined;
  const rule = "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.";
  return bad(`Invalid '${field}': ${rule}`, field, "invalid_value");
}
