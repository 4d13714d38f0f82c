import type { Flavour } from "../../flavours/flavour.ts";
import type { ServedModels } from "../../flavours/served-models.ts";
import { asArray, asObject, type JsonMap, textValue } from "../../story/conversation.ts";
import type { RequestRefusal } from "../wire.ts";
import { checkVendorRules } from "./vendor-chat-rules.ts";

const roles = ["system", "developer", "user", "assistant", "tool"];

/** The rules of POST /v1/chat/completions. */
export function checkChatRequest(body: unknown, flavour: Flavour, served: ServedModels): RequestRefusal | undefined {
  const request = asObject(body);
  const model = textValue(request.model);
  if (model === "" && flavour === "openai") return bad("you must provide a model parameter", null);
  const messages = asArray(request.messages).map(asObject);
  if (messages.length === 0) return bad("Missing required parameter: 'messages'.", "messages");
  return (
    checkModel(model, flavour, served) ??
    messages.map(checkMessage).find((problem) => problem !== undefined) ??
    checkPairs(messages) ??
    asArray(request.tools)
      .map((tool, index) => checkTool(asObject(tool), index))
      .find((problem) => problem !== undefined) ??
    checkVendorRules(request, flavour, served)
  );
}

function bad(message: string, param: string | null): RequestRefusal {
  return { status: 400, message, type: "invalid_request_error", code: null, param };
}

/** llama.cpp and LM Studio answer with whatever model they have. */
function checkModel(model: string, flavour: Flavour, served: ServedModels): RequestRefusal | undefined {
  if (flavour === "lmstudio" && served.loading.onRequest === false && served.loadedTokens(model) === undefined) {
    const message = "No models loaded. Please load a model in the developer page or use the `lms load` command.";
    return { status: 404, message, type: "invalid_request_error", code: "model_not_found", param: "model" };
  }
  if (!served.closed || served.find(model) !== undefined || flavour === "llamacpp" || flavour === "lmstudio")
    return undefined;
  if (flavour === "openrouter") return { status: 400, message: `${model} is not a valid model ID`, code: 400 };
  const message = `The model \`${model}\` does not exist or you do not have access to it.`;
  return { status: 404, message, type: "invalid_request_error", code: "model_not_found", param: null };
}

function checkMessage(message: JsonMap, index: number): RequestRefusal | undefined {
  const at = `messages[${index}]`;
  const role = textValue(message.role);
  if (!roles.includes(role))
    return bad(`Invalid value: '${role}'. Supported values are: ${roles.join(", ")}.`, `${at}.role`);
  const calls = asArray(message.tool_calls).map(asObject);
  if (message.tool_calls !== undefined && calls.length === 0) {
    return bad(`Invalid '${at}.tool_calls': empty array. Expected an array with minimum length 1.`, `${at}.tool_calls`);
  }
  const { content } = message;
  const missing = content === undefined || content === null;
  if (missing && !(role === "assistant" && calls.length > 0)) {
    return bad(`Invalid value for 'content': expected a string, got null.`, `${at}.content`);
  }
  if (!missing && typeof content !== "string" && !Array.isArray(content)) {
    return bad("Invalid type for 'content': expected one of a string or array of objects.", `${at}.content`);
  }
  for (const [number, call] of calls.entries()) {
    const target = asObject(call.function);
    const where = `${at}.tool_calls[${number}]`;
    if (textValue(call.id) === "") return bad(`Missing required parameter: '${where}.id'.`, where);
    if (call.type !== "function") return bad(`Missing required parameter: '${where}.type'.`, where);
    if (textValue(target.name) === "") return bad(`Missing required parameter: '${where}.function.name'.`, where);
    if (typeof target.arguments !== "string") return bad(`Invalid type for '${where}.function.arguments'.`, where);
  }
  return undefined;
}

/** Every call is answered, by messages that follow at once, and nothing else is. */
function checkPairs(messages: readonly JsonMap[]): RequestRefusal | undefined {
  const open = new Set<string>();
  for (const [index, message] of [...messages, { role: "end" }].entries()) {
    if (message.role === "tool") {
      if (!open.delete(textValue(message.tool_call_id))) {
        const rule = "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
        return bad(`Invalid parameter: ${rule}`, `messages.[${index}].role`);
      }
      continue;
    }
    if (open.size > 0) {
      const rule =
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
      const ids = [...open].join(", ");
      return bad(`${rule} The following tool_call_ids did not have response messages: ${ids}`, "messages");
    }
    for (const call of asArray(message.tool_calls).map(asObject)) open.add(textValue(call.id));
  }
  return undefined;
}

function checkTool(tool: JsonMap, index: number): RequestRefusal | undefined {
  const name = textValue(asObject(tool.function).name);
  if (tool.type === "function" && /^[a-zA-Z0-9_-]{1,64}$/.test(name)) return undefined;
  const field = `tools[${index}].function.name`;
  return bad(`Invalid '${field}': string does not match pattern. Expected '^[a-zA-Z0-9_-]+$'.`, field);
}
