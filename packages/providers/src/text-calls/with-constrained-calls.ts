import type { ModelEvent, ModelRequest, ToolSpec } from "@harness/core";
import { type AgentPart, type ToolCallPart, textOf } from "@harness/protocol";
import type { WireProvider } from "../wires/wire-api.ts";
import { callSchema } from "./constrained/call-schema.ts";
import { readConstrained } from "./constrained/constrained-reply.ts";
import { SayStream } from "./constrained/say-stream.ts";
import { callText, plainConversation } from "./prompt/plain-conversation.ts";
import { toolLines } from "./prompt/tool-signature.ts";
import { type ReplyForm, withReadReplies } from "./read-replies.ts";
import { dropThinking, newIds, type RepairedReply, repairedReply } from "./repair/repaired-reply.ts";
import { isRepeated } from "./repeats/repeated-call.ts";
import { textForm } from "./with-text-calls.ts";

type End = Extract<ModelEvent, { type: "end" }>;
type Repair = Extract<ModelEvent, { type: "repair" }>;

/** The prompt that describes the object in which the model must reply. */
function constrainedTools(tools: readonly ToolSpec[]): string {
  return `# Tools

You have these tools:

${toolLines(tools)}

Every reply is one JSON object: {"say": "WORDS", "calls": [{"tool": "NAME", "args": {"ARGUMENT": "VALUE"}}]}. "say" is for the person; the results of the calls come in the next message. With an empty list of calls "say" is your final answer.`;
}

/**
 * Offers tools to models that fail at calling them, if the server enforces a schema: the model can only write valid
 * calls. Text is streamed as it arrives; calls arrive with `end`.
 */
export function withConstrainedCalls(provider: WireProvider): WireProvider {
  const constrainedProvider: WireProvider = {
    id: provider.id,
    stream: (request, signal) => provider.stream(constrainedRequest(request), signal),
  };
  return withReadReplies(constrainedProvider, ({ tools }) => (tools.length > 0 ? schemaForm : textForm("constrained")));
}

const schemaForm: ReplyForm = {
  filter: () => new SayStream(),
  read: readBack,
  visibleParts(arrived) {
    const { parts } = dropThinking({ parts: [...arrived], stop: "cut" });
    const say = new SayStream().push(textOf(parts));
    const others = parts.filter((part) => part.type !== "text");
    return say === "" ? others : [...others, { type: "text", text: say }];
  },
};

export function constrainedRequest(request: ModelRequest): ModelRequest {
  const messages = plainConversation(request.messages, replyText);
  if (request.tools.length === 0) return { ...request, messages };
  const system = [request.system, constrainedTools(request.tools)].filter((each) => each !== "").join("\n\n");
  return { ...request, system, messages, tools: [], responseSchema: callSchema(request.tools) };
}

function replyText(text: string, calls: readonly ToolCallPart[]): string {
  if (text === "" && calls.length === 0) return "";
  return `{"say": ${JSON.stringify(text)}, "calls": [${calls.map(callText).join(", ")}]}`;
}

function readBack(event: End, request: ModelRequest): RepairedReply {
  const thinking = dropThinking(event);
  const reply = readConstrained(textOf(thinking.parts), request.tools);
  const isQuoted = reply?.isFenced === true && isRepeated(reply.calls, request);
  // The server did not enforce the schema.
  if (!reply || isQuoted) return repairedReply(event, request, "constrained");
  const ids = newIds(request);
  const isOurs = event.stop !== "cut";
  const calls = isOurs ? reply.calls.map(({ cut: _cut, ...call }) => toPart(call, ids.next().value)) : [];
  const parts: AgentPart[] = [
    ...thinking.parts.filter((part) => part.type === "thinking"),
    ...(reply.say.trim() === "" ? [] : [{ type: "text" as const, text: reply.say }]),
    ...calls,
  ];
  const repairs = calls.map(({ toolCallId, name }): Repair => {
    const detail = `The server enforced a schema, and the call to ${name} was read from the reply.`;
    return { type: "repair", what: "constrained", toolCallId, detail };
  });
  const stop = calls.length > 0 && event.stop === "end" ? "tool_calls" : event.stop;
  return { end: { ...event, parts, stop }, repairs: [...thinking.repairs, ...repairs] };
}

function toPart(call: Pick<ToolCallPart, "name" | "input" | "inputText">, toolCallId: string): ToolCallPart {
  return { type: "tool_call", toolCallId, ...call };
}
