import type { ServedModels } from "../../flavours/served-models.ts";
import { asArray, asObject, type JsonMap, textValue } from "../../story/conversation.ts";
import { isSealed, sealText } from "../../story/seal.ts";
import type { RequestRefusal, WireRequest } from "../wire.ts";

/** The rules of POST /v1/messages, with its error messages. */
export function checkAnthropicRequest(
  { body, headers }: WireRequest,
  served: ServedModels,
): RequestRefusal | undefined {
  const request = asObject(body);
  const messages = asArray(request.messages).map(asObject);
  // Under this beta, changes in the middle of a conversation are announced in a system message.
  const roles = headers["anthropic-beta"]?.includes("mid-conversation-") ? ["user", "assistant", "system"] : usualRoles;
  return (
    checkHeaders(headers) ??
    checkFields(request) ??
    checkModel(textValue(request.model), served) ??
    checkThinking(request) ??
    firstOf(messages, (message, index) => checkMessage(message, `messages.${index}`, roles)) ??
    checkPairs(messages) ??
    checkThinkingStart(request, messages) ??
    firstOf(asArray(request.tools).map(asObject), checkTool)
  );
}

function bad(message: string, status = 400): RequestRefusal {
  return { status, message };
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

/** A key, or a login token, which the API accepts only with its beta header. */
function checkHeaders(headers: WireRequest["headers"]): RequestRefusal | undefined {
  const { "x-api-key": key, authorization, "anthropic-version": version, "anthropic-beta": beta = "" } = headers;
  if (key === undefined && authorization === undefined) return bad("x-api-key header is required", 401);
  if (key === undefined && !beta.includes("oauth-")) {
    return bad("OAuth authentication is currently not supported.", 401);
  }
  return version === undefined ? bad("anthropic-version: header is required") : undefined;
}

const fields = new Set([
  "model",
  "messages",
  "max_tokens",
  "system",
  "tools",
  "tool_choice",
  "stream",
  "temperature",
  "top_p",
  "top_k",
  "stop_sequences",
  "thinking",
  "output_config",
  "output_format",
  "metadata",
  "service_tier",
  "container",
  "context_management",
  "cache_control",
  "mcp_servers",
  "inference_geo",
]);

function checkFields(request: JsonMap): RequestRefusal | undefined {
  for (const name of ["model", "messages", "max_tokens"]) {
    if (request[name] === undefined) return bad(`${name}: Field required`);
  }
  const maxTokens = request.max_tokens;
  if (typeof maxTokens !== "number" || !Number.isInteger(maxTokens)) {
    return bad("max_tokens: Input should be a valid integer");
  }
  if (maxTokens < 1) return bad("max_tokens: Input should be greater than or equal to 1");
  const unknown = Object.keys(request).find((name) => !fields.has(name));
  if (unknown !== undefined) return bad(`${unknown}: Extra inputs are not permitted`);
  if (typeof request.system === "string") return undefined;
  const empty = asArray(request.system).findIndex((block) => textValue(asObject(block).text) === "");
  return empty >= 0 ? bad(`system.${empty}: text content blocks must be non-empty`) : undefined;
}

function checkModel(model: string, served: ServedModels): RequestRefusal | undefined {
  return served.closed && served.find(model) === undefined ? bad(`model: ${model}`, 404) : undefined;
}

function checkThinking(request: JsonMap): RequestRefusal | undefined {
  const { type, budget_tokens: budget } = asObject(request.thinking);
  if (type === undefined || type === "disabled") return undefined;
  if (request.temperature !== undefined && request.temperature !== 1) {
    return bad("`temperature` may only be set to 1 when thinking is enabled.");
  }
  if (type !== "enabled") return undefined;
  if (typeof budget !== "number") return bad("thinking.enabled.budget_tokens: Field required");
  if (budget < 1024) {
    return bad("thinking.enabled.budget_tokens: Input should be greater than or equal to 1024");
  }
  const tooMuch = budget >= Number(request.max_tokens);
  return tooMuch ? bad("`max_tokens` must be greater than `thinking.budget_tokens`.") : undefined;
}

const usualRoles: readonly string[] = ["user", "assistant"];

function checkMessage(message: JsonMap, at: string, roles: readonly string[]): RequestRefusal | undefined {
  const { role, content } = message;
  if (!roles.includes(textValue(role))) return bad(`${at}.role: Input should be 'user' or 'assistant'`);
  if (at === "messages.0" && role !== "user") return bad('messages: first message must use the "user" role');
  if (typeof content === "string") {
    return content === "" ? bad(`${at}: user messages must have non-empty content`) : undefined;
  }
  if (!Array.isArray(content)) return bad(`${at}.content: Input should be a valid list`);
  if (content.length === 0) return bad(`${at}: all messages must have non-empty content`);
  return firstOf(content.map(asObject), (block, index) => checkBlock(block, textValue(role), `${at}.content.${index}`));
}

const blockTypes: Record<string, readonly string[]> = {
  user: ["text", "image", "document", "tool_result"],
  assistant: ["text", "thinking", "redacted_thinking", "tool_use"],
  system: ["text", "tool_addition", "tool_removal"],
};

function checkBlock(block: JsonMap, role: string, at: string): RequestRefusal | undefined {
  const type = textValue(block.type);
  const allowed = blockTypes[role] ?? [];
  if (!allowed.includes(type)) {
    const expected = allowed.map((one) => `'${one}'`).join(", ");
    return bad(`${at}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${expected}`);
  }
  switch (type) {
    case "text":
      return textValue(block.text) === "" ? bad(`${at}: text content blocks must be non-empty`) : undefined;
    case "image":
      return checkImage(asObject(block.source), at);
    case "thinking":
      return sealText("anthropic", textValue(block.thinking)) === block.signature
        ? undefined
        : bad(`${at}: Invalid \`signature\` in \`thinking\` block`);
    case "redacted_thinking":
      return isSealed("anthropic", textValue(block.data))
        ? undefined
        : bad(`${at}: Invalid \`data\` in \`redacted_thinking\` block`);
    case "tool_use":
      return checkToolUse(block, at);
    default:
      return checkToolResult(block, at);
  }
}

function checkImage(source: JsonMap, at: string): RequestRefusal | undefined {
  if (source.type === "url") return undefined;
  const types = ["image/jpeg", "image/png", "image/gif", "image/webp"];
  if (!types.includes(textValue(source.media_type))) {
    const expected = types.map((one) => `'${one}'`).join(", ");
    return bad(`${at}.image.source.base64.media_type: Input should be ${expected}`);
  }
  const isBase64 = source.type === "base64" && /^[A-Za-z0-9+/]+={0,2}$/.test(textValue(source.data));
  return isBase64 ? undefined : bad(`${at}.image.source.base64.data: Input should be valid base64`);
}

function checkToolUse({ id, name, input }: JsonMap, at: string): RequestRefusal | undefined {
  if (!/^[a-zA-Z0-9_-]+$/.test(textValue(id))) {
    return bad(`${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
  }
  if (!/^[a-zA-Z0-9_-]{1,200}$/.test(textValue(name))) {
    return bad(`${at}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'`);
  }
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  return isObject ? undefined : bad(`${at}.tool_use.input: Input should be a valid dictionary`);
}

function checkToolResult(block: JsonMap, at: string): RequestRefusal | undefined {
  if (textValue(block.tool_use_id) === "") return bad(`${at}.tool_result.tool_use_id: Field required`);
  const parts = typeof block.content === "string" ? [] : asArray(block.content).map(asObject);
  return firstOf(parts, (part, index) => {
    const where = `${at}.tool_result.content.${index}`;
    if (part.type === "image") return checkImage(asObject(part.source), where);
    return textValue(part.text) === "" ? bad(`${where}: text content blocks must be non-empty`) : undefined;
  });
}

interface Run {
  role: string;
  /** The index of its first message. */
  index: number;
  blocks: JsonMap[];
}

/** Consecutive messages of one role count as one. */
function runsOf(messages: readonly JsonMap[]): Run[] {
  const runs: Run[] = [];
  for (const [index, message] of messages.entries()) {
    const role = textValue(message.role);
    const blocks = asArray(message.content).map(asObject);
    const last = runs.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else runs.push({ role, index, blocks });
  }
  return runs;
}

/** Every call is answered at the beginning of the very next message, and nothing else is answered. */
function checkPairs(messages: readonly JsonMap[]): RequestRefusal | undefined {
  const seen = new Set<string>();
  let open: readonly string[] = [];
  for (const { index, blocks } of [...runsOf(messages), { role: "end", index: messages.length, blocks: [] }]) {
    const stray = blocks.findIndex(
      (block) => block.type === "tool_result" && !open.includes(textValue(block.tool_use_id)),
    );
    if (stray >= 0) {
      const rule = "Each `tool_result` block must have a corresponding `tool_use` block in the previous message.";
      const found = `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${blocks[stray]?.tool_use_id}`;
      return bad(`messages.${index}.content.${stray}: ${found}. ${rule}`);
    }
    const rest = blocks.findIndex((block) => block.type !== "tool_result");
    const answered = blocks.slice(0, rest < 0 ? undefined : rest).map((block) => block.tool_use_id);
    const missing = open.filter((id) => !answered.includes(id));
    if (missing.length > 0) {
      const rule = "Each `tool_use` block must have a corresponding `tool_result` block in the next message.";
      const found = "`tool_use` ids were found without `tool_result` blocks immediately after";
      return bad(`messages.${index - 1}: ${found}: ${missing.join(", ")}. ${rule}`);
    }
    open = blocks.filter((block) => block.type === "tool_use").map((block) => textValue(block.id));
    for (const id of open) {
      if (seen.has(id)) return bad(`messages.${index}: \`tool_use\` ids must be unique`);
      seen.add(id);
    }
  }
  return undefined;
}

/** With thinking on, a call whose result is being returned must still be preceded by its thoughts. */
function checkThinkingStart(request: JsonMap, messages: readonly JsonMap[]): RequestRefusal | undefined {
  if (asObject(request.thinking).type !== "enabled") return undefined;
  const results = asArray(messages.at(-1)?.content).some((block) => asObject(block).type === "tool_result");
  const index = messages.findLastIndex((message) => message.role === "assistant");
  const first = textValue(asObject(asArray(messages[index]?.content)[0]).type);
  if (!results || first === "thinking" || first === "redacted_thinking") return undefined;
  return bad(
    `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. When ` +
      "`thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost " +
      "set of `tool_use` and `tool_result` blocks).",
  );
}

function checkTool(tool: JsonMap, index: number): RequestRefusal | undefined {
  // The vendor's own tools have a type and no schema.
  if (tool.type !== undefined && tool.type !== "custom") return undefined;
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(textValue(tool.name))) {
    return bad(`tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
  }
  const { type } = asObject(tool.input_schema);
  if (tool.input_schema === undefined) return bad(`tools.${index}.custom.input_schema: Field required`);
  return type === "object" ? undefined : bad(`tools.${index}.custom.input_schema.type: Input should be 'object'`);
}
