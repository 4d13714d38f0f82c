import {
  asArray,
  asObject,
  type ConversationMessage,
  contentText,
  type ScriptedRequest,
  textValue,
} from "../../story/conversation.ts";

/** A request of POST /v1/messages. Tool results are in user messages; here each becomes its own message. */
export function anthropicConversation(body: unknown): ScriptedRequest {
  const request = asObject(body);
  const callNames = new Map<string, string>();
  const messages: ConversationMessage[] = [];
  for (const entry of asArray(request.messages).map(asObject)) {
    const role = textValue(entry.role);
    const blocks = typeof entry.content === "string" ? [] : asArray(entry.content).map(asObject);
    for (const block of blocks) {
      if (block.type === "tool_use") callNames.set(textValue(block.id), textValue(block.name));
      if (block.type !== "tool_result") continue;
      const toolName = callNames.get(textValue(block.tool_use_id));
      const result = { role: "tool", text: contentText(block.content) };
      messages.push(toolName === undefined ? result : { ...result, toolName });
    }
    const text = typeof entry.content === "string" ? entry.content : contentText(blocks);
    const onlyResults = blocks.length > 0 && blocks.every((block) => block.type === "tool_result");
    if (!onlyResults) messages.push({ role, text });
  }
  const tools = asArray(request.tools).map((tool) => textValue(asObject(tool).name));
  return { model: textValue(request.model), system: contentText(request.system), messages, tools };
}
