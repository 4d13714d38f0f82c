import {
  asArray,
  asObject,
  type ConversationMessage,
  contentText,
  type ScriptedRequest,
  textValue,
} from "../../story/conversation.ts";

/** A request of POST /v1/responses. A call is an item of its own here and belongs to no message. */
export function responsesConversation(body: unknown): ScriptedRequest {
  const request = asObject(body);
  const system = [textValue(request.instructions)];
  const messages: ConversationMessage[] = [];
  const callNames = new Map<string, string>();
  for (const item of responsesItems(request.input)) {
    const type = typeOf(item);
    const role = textValue(item.role);
    if (type === "function_call") callNames.set(textValue(item.call_id), textValue(item.name));
    if (type === "function_call_output") {
      const toolName = callNames.get(textValue(item.call_id));
      const result = { role: "tool", text: contentText(item.output) };
      messages.push(toolName === undefined ? result : { ...result, toolName });
    }
    if (type !== "message") continue;
    if (role === "system" || role === "developer") system.push(contentText(item.content));
    else messages.push({ role, text: contentText(item.content) });
  }
  const tools = asArray(request.tools).map((tool) => textValue(asObject(tool).name));
  return { model: textValue(request.model), system: system.filter((text) => text !== "").join("\n"), messages, tools };
}

/** `input` is a list of items, or a text that represents one user message. */
export function responsesItems(input: unknown): Record<string, unknown>[] {
  if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
  return asArray(input).map(asObject);
}

/** An item without a type is a message. */
export function typeOf(item: Record<string, unknown>): string {
  return item.type === undefined ? "message" : textValue(item.type);
}
