import type { When } from "./scenario.ts";

/** A chat request of any wire format, reduced to the parts that a scenario can test. */
export interface ScriptedRequest {
  model: string;
  system: string;
  /** Without the system text. */
  messages: readonly ConversationMessage[];
  tools: readonly string[];
}

export interface ConversationMessage {
  role: string;
  text: string;
  /** For a tool result: its call, if the request names it. */
  toolName?: string;
}

export type JsonMap = { [key: string]: unknown };

export function asObject(value: unknown): JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonMap) : {};
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textValue(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A request of chat completions or of Ollama's API. */
export function chatConversation(body: unknown): ScriptedRequest {
  const request = asObject(body);
  const system: string[] = [];
  const messages: ConversationMessage[] = [];
  const callNames = new Map<string, string>();
  for (const entry of asArray(request.messages).map(asObject)) {
    const role = textValue(entry.role);
    const text = contentText(entry.content);
    if (role === "system" || role === "developer") {
      system.push(text);
      continue;
    }
    for (const call of asArray(entry.tool_calls).map(asObject)) {
      callNames.set(textValue(call.id), textValue(asObject(call.function).name));
    }
    const toolName =
      role === "tool" ? textValue(entry.tool_name) || callNames.get(textValue(entry.tool_call_id)) : undefined;
    messages.push(toolName === undefined ? { role, text } : { role, text, toolName });
  }
  const tools = asArray(request.tools).map((tool) => textValue(asObject(asObject(tool).function).name));
  return { model: textValue(request.model), system: system.join("\n"), messages, tools };
}

/** `content` is a string, or a list of parts; only text counts here. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return asArray(content)
    .map((part) => textValue(asObject(part).text))
    .join("");
}

export function firstUserText(conversation: ScriptedRequest): string {
  return conversation.messages.find((message) => message.role === "user")?.text ?? "";
}

/** The text of the last tool result, or of the last one of this tool. */
export function lastToolResult(conversation: ScriptedRequest, toolName?: string): string | undefined {
  return conversation.messages.findLast(
    (message) => message.role === "tool" && (toolName === undefined || message.toolName === toolName),
  )?.text;
}

export function holds(when: When, conversation: ScriptedRequest): boolean {
  const { messages } = conversation;
  const wanted: [string | undefined, () => boolean][] = [
    [when.model, () => conversation.model === when.model],
    [when.system, () => conversation.system.includes(when.system ?? "")],
    [when.hasTool, () => conversation.tools.includes(when.hasTool ?? "")],
    [when.firstUser, () => firstUserText(conversation).includes(when.firstUser ?? "")],
    [
      when.lastUser,
      () => (messages.findLast((message) => message.role === "user")?.text ?? "").includes(when.lastUser ?? ""),
    ],
    [when.lastMessage, () => (messages.at(-1)?.text ?? "").includes(when.lastMessage ?? "")],
    [when.anyMessage, () => messages.some((message) => message.text.includes(when.anyMessage ?? ""))],
    [when.toolResultFor, () => endsWithResultOf(conversation, when.toolResultFor ?? "")],
  ];
  return wanted.every(([asked, test]) => asked === undefined || test());
}

function endsWithResultOf(conversation: ScriptedRequest, toolName: string): boolean {
  for (const message of conversation.messages.toReversed()) {
    if (message.role !== "tool") return false;
    if (message.toolName === toolName) return true;
  }
  return false;
}
