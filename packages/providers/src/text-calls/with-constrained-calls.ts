import type { ModelEvent, ModelRequest, Provider, ToolSpec } from "@harness/core";
import { type AgentPart, type ToolCallPart, textOf } from "@harness/protocol";
import { callSchema } from "./call-schema.ts";
import { readConstrained } from "./constrained-reply.ts";
import { mendedReply, newIds } from "./mended-reply.ts";
import { callText, plainConversation } from "./plain-conversation.ts";
import { SayStream } from "./say-stream.ts";
import { toolLines } from "./tool-signature.ts";

type End = Extract<ModelEvent, { type: "end" }>;
type Repair = Extract<ModelEvent, { type: "repair" }>;

/** What the model is told of the object that it is held to. */
function constrainedTools(tools: readonly ToolSpec[]): string {
  return `# Tools

You have these tools:

${toolLines(tools)}

Every reply is one JSON object: {"say": "WORDS", "calls": [{"tool": "NAME", "args": {"ARGUMENT": "VALUE"}}]}. "say" is for the person; the results of the calls come in the next message. With an empty list of calls "say" is your final answer.`;
}

/**
 * Offers tools to models that fail at calling them, where the server can hold a reply to a schema: the model cannot but
 * write valid calls. Words are streamed as they come; calls arrive with `end`.
 */
export function withConstrainedCalls(provider: Provider): Provider {
  return {
    id: provider.id,
    async *stream(request: ModelRequest, signal: AbortSignal) {
      const isHeld = request.tools.length > 0;
      let words = new SayStream();
      for await (const event of provider.stream(constrainedRequest(request), signal)) {
        if (event.type === "text" && isHeld) {
          const text = words.push(event.text);
          if (text !== "") yield { type: "text", text };
        } else if (event.type === "end" && isHeld) {
          const { end, repairs } = readBack(event, request);
          yield* repairs;
          yield end;
        } else {
          if (event.type === "retry") words = new SayStream();
          yield event;
        }
      }
    },
  };
}

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

function readBack(event: End, request: ModelRequest): { end: End; repairs: Repair[] } {
  const reply = readConstrained(textOf(event.parts), request.tools);
  // The server did not hold the model to it.
  if (!reply) return mendedReply(event, request, "constrained");
  const ids = newIds(request);
  const isOurs = event.stop !== "cut";
  const calls = isOurs ? reply.calls.map(({ cut: _cut, ...call }) => toPart(call, ids.next().value)) : [];
  const parts: AgentPart[] = [
    ...event.parts.filter((part) => part.type === "thinking"),
    ...(reply.say.trim() === "" ? [] : [{ type: "text" as const, text: reply.say }]),
    ...calls,
  ];
  const repairs = calls.map(({ toolCallId, name }): Repair => {
    const detail = `The server held the reply to a schema, and the call of ${name} was read from it.`;
    return { type: "repair", what: "constrained", toolCallId, detail };
  });
  const stop = calls.length > 0 && event.stop === "end" ? "tool_calls" : event.stop;
  return { end: { ...event, parts, stop }, repairs };
}

function toPart(call: Pick<ToolCallPart, "name" | "input" | "inputText">, toolCallId: string): ToolCallPart {
  return { type: "tool_call", toolCallId, ...call };
}
