import type { Flavour } from "../../flavours/flavour.ts";
import type { ServedModels } from "../../flavours/served-models.ts";
import { asArray, asObject, type JsonMap, textValue } from "../../story/conversation.ts";
import { sealText } from "../../story/seal.ts";
import type { RequestRefusal } from "../wire.ts";

type Rule = (request: JsonMap, served: ServedModels) => RequestRefusal | undefined;

/** The rules of a vendor beyond OpenAI's. */
const rules: Partial<Record<Flavour, Rule>> = {
  deepseek: deepSeekThinking,
  gemini: geminiSignatures,
  llamacpp: llamaServer,
  mistral: mistralOrder,
  vllm: vllmTools,
};

export function checkVendorRules(request: JsonMap, flavour: Flavour, served: ServedModels): RequestRefusal | undefined {
  return rules[flavour]?.(request, served);
}

function messagesOf(request: JsonMap): JsonMap[] {
  return asArray(request.messages).map(asObject);
}

function callsOf(message: JsonMap | undefined): JsonMap[] {
  return asArray(message?.tool_calls).map(asObject);
}

function lacksTools(request: JsonMap, served: ServedModels): boolean {
  const model = served.find(textValue(request.model)) ?? served.models[0];
  return asArray(request.tools).length > 0 && model !== undefined && !model.capabilities.includes("tools");
}

/** api-docs.deepseek.com, "Thinking Mode": on by default; a message with calls must have its field, even if empty. */
function deepSeekThinking(request: JsonMap): RequestRefusal | undefined {
  if (asObject(request.thinking).type === "disabled") return undefined;
  const missing = messagesOf(request).some(
    (message) => callsOf(message).length > 0 && typeof message.reasoning_content !== "string",
  );
  if (!missing) return undefined;
  const message = "The `reasoning_content` in the thinking mode must be passed back to the API.";
  return { status: 400, message, type: "invalid_request_error", code: "invalid_request_error" };
}

/**
 * Gemini docs, "Thought signatures": since the last message of the user, the first call of each reply must have its
 * signature. These words replace it in the history of other models.
 */
const unsigned = ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];

function geminiSignatures(request: JsonMap): RequestRefusal | undefined {
  const messages = messagesOf(request);
  const lastUser = messages.findLastIndex((message) => message.role === "user");
  for (const [index, message] of messages.entries()) {
    const [first] = callsOf(message);
    if (first === undefined || index < lastUser) continue;
    const { name } = asObject(first.function);
    const signature = textValue(asObject(asObject(first.extra_content).google).thought_signature);
    if (unsigned.includes(signature)) continue;
    if (signature === "") {
      const missing = "Function call is missing a thought_signature in functionCall parts.";
      const why =
        "This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.";
      const which = `Additional data, function call \`default_api:${textValue(name)}\` , position ${index + 1}.`;
      return { status: 400, message: `${missing} ${why} ${which}` };
    }
    if (signature !== sealText("google", textValue(name))) {
      return { status: 400, message: "Thought signature is not valid." };
    }
  }
  return undefined;
}

function llamaServer(request: JsonMap, served: ServedModels): RequestRefusal | undefined {
  if (lacksTools(request, served)) {
    return { status: 500, message: "tools param requires --jinja flag", type: "server_error" };
  }
  const bad = (message: string): RequestRefusal => ({ status: 400, message, type: "invalid_request_error" });
  const grammar = textValue(request.grammar) !== "";
  if (grammar && request.json_schema !== undefined) {
    return bad('Either "json_schema" or "grammar" can be specified, but not both');
  }
  if (grammar && asArray(request.tools).length > 0) return bad("Cannot use custom grammar constraints with tools.");
  for (const call of messagesOf(request).flatMap(callsOf)) {
    const problem = parseProblem(textValue(asObject(call.function).arguments));
    if (problem !== undefined) {
      const message = `Failed to parse tool call arguments as JSON: [json.exception.parse_error.101] parse error: ${problem}`;
      return { status: 500, message, type: "server_error" };
    }
  }
  return undefined;
}

function parseProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Ids of nine letters or digits, and an answer of the assistant between a result and the next user message. */
function mistralOrder(request: JsonMap): RequestRefusal | undefined {
  const messages = messagesOf(request);
  const ids = messages.flatMap((message) => [...callsOf(message).map((call) => call.id), message.tool_call_id]);
  const wrong = ids.find((id) => id !== undefined && !/^[a-zA-Z0-9]{9}$/.test(textValue(id)));
  if (wrong !== undefined) {
    const message = `Tool call id was ${textValue(wrong)} but must be a-z, A-Z, 0-9, with a length of 9.`;
    return { status: 400, message, type: "invalid_function_call", code: "3280" };
  }
  const order = messages.findIndex((message, index) => message.role === "user" && messages[index - 1]?.role === "tool");
  if (order >= 0) {
    const message = "Unexpected role 'user' after role 'tool'";
    return { status: 400, message, type: "invalid_request_message_order", code: "3230" };
  }
  if (messages.at(-1)?.role !== "assistant") return undefined;
  const message = "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant";
  return { status: 400, message, type: "invalid_request_message_order", code: "3230" };
}

function vllmTools(request: JsonMap, served: ServedModels): RequestRefusal | undefined {
  if (!lacksTools(request, served) || (request.tool_choice ?? "auto") !== "auto") return undefined;
  const message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
  return { status: 400, message, type: "BadRequestError" };
}
