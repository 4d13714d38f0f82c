import type { ModelEvent, ModelRequest, ToolSpec } from "@harness/core";
import { type AgentPart, type ToolCallPart, textOf } from "@harness/protocol";
import type { WireProvider } from "../wires/wire-api.ts";
import { callSchema } from "./constrained/call-schema.ts";
import { readConstrained } from "./constrained/constrained-reply.ts";
import { SayStream } from "./constrained/say-stream.ts";
import { callText, plainConversation } from "./prompt/plain-conversation.ts";
import { toolLines } from "./prompt/tool-signature.ts";
import { newIds, repairedReply, withoutThinking } from "./repair/repaired-reply.ts";
import { isRepeated } from "./repeats/repeated-call.ts";
import { ThinkSplitter } from "./thinking/think-splitter.ts";

type End = Extract<ModelEvent, { type: "end" }>;
type Repair = Extract<ModelEvent, { type: "repair" }>;

/** The prompt that describes the object which the reply must be. */
function constrainedTools(tools: readonly ToolSpec[]): string {
  return `# Tools

You have these tools:

${toolLines(tools)}

Every reply is one JSON object: {"say": "WORDS", "calls": [{"tool": "NAME", "args": {"ARGUMENT": "VALUE"}}]}. "say" is for the person; the results of the calls come in the next message. With an empty list of calls "say" is your final answer.`;
}

/**
 * Offers tools to models that fail at calling them, where the server enforces a schema: the model can only write valid
 * calls. Text is streamed as it comes; calls arrive with `end`.
 */
export function withConstrainedCalls(provider: WireProvider): WireProvider {
  return {
    id: provider.id,
    async *stream(request: ModelRequest, signal: AbortSignal) {
      const isHeld = request.tools.length > 0;
      let view = new HeldReplyView();
      for await (const event of provider.stream(constrainedRequest(request), signal)) {
        if (event.type === "text" && isHeld) yield* view.text(event.text);
        else if (event.type === "end" && isHeld) {
          const { end, repairs } = readBack(event, request);
          yield* view.end(textOf(end.parts));
          yield* repairs;
          yield end;
        } else if (event.type === "failed" && isHeld) {
          yield event.parts ? { ...event, parts: shownParts(event.parts) } : event;
        } else {
          if (event.type === "retry") view = new HeldReplyView();
          yield event;
        }
      }
    },
  };
}

type Delta = Extract<ModelEvent, { type: "text" | "thinking" }>;

/** The visible part of one attempt: thinking that the server left in the text, then the text. */
class HeldReplyView {
  readonly #thoughts = new ThinkSplitter();
  readonly #words = new SayStream();
  #shown = "";

  text(delta: string): Delta[] {
    const { text, thinking } = this.#thoughts.push(delta);
    return [...(thinking === "" ? [] : [{ type: "thinking" as const, text: thinking }]), ...this.#say(text)];
  }

  /** Shows what is still missing of the text of the whole reply. */
  end(whole: string): Delta[] {
    const rest = whole.startsWith(this.#shown) ? whole.slice(this.#shown.length) : "";
    return rest === "" ? [] : [{ type: "text", text: rest }];
  }

  #say(delta: string): Delta[] {
    const text = delta === "" ? "" : this.#words.push(delta);
    this.#shown += text;
    return text === "" ? [] : [{ type: "text", text }];
  }
}

/** The visible part of a failed reply. */
function shownParts(arrived: readonly AgentPart[]): AgentPart[] {
  const { parts } = withoutThinking({ parts: [...arrived], stop: "cut" });
  const say = new SayStream().push(textOf(parts));
  const others = parts.filter((part) => part.type !== "text");
  return say === "" ? others : [...others, { type: "text", text: say }];
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
  const thinking = withoutThinking(event);
  const reply = readConstrained(textOf(thinking.parts), request.tools);
  const isQuoted = reply?.isFenced === true && isRepeated(reply.calls, request);
  // The server did not hold the model to it.
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
    const detail = `The server held the reply to a schema, and the call of ${name} was read from it.`;
    return { type: "repair", what: "constrained", toolCallId, detail };
  });
  const stop = calls.length > 0 && event.stop === "end" ? "tool_calls" : event.stop;
  return { end: { ...event, parts, stop }, repairs: [...thinking.repairs, ...repairs] };
}

function toPart(call: Pick<ToolCallPart, "name" | "input" | "inputText">, toolCallId: string): ToolCallPart {
  return { type: "tool_call", toolCallId, ...call };
}
