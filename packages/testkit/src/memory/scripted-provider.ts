import type { ModelEvent, ModelRequest, Provider } from "@harness/core";
import type { AgentPart, Failure, Stop, ToolCallPart, Usage } from "@harness/protocol";

/** `until` holds the stream until it resolves, or until the request is aborted. */
export type ScriptedEvent = ModelEvent | { type: "until"; promise: Promise<void> };

/** Answers the n-th request, counted from 0. */
export type Script = (request: ModelRequest, n: number) => ScriptedEvent[];

/** A provider that plays a script, fulfils the contract of `stream`, and remembers its requests. */
export class ScriptedProvider implements Provider {
  readonly id = "scripted";
  /** Copies of the requests as sent: later changes do not affect them. */
  readonly requests: ModelRequest[] = [];
  readonly #script: Script;
  readonly #waiting: { count: number; resolve: () => void }[] = [];

  constructor(script: Script | ScriptedEvent[][]) {
    this.#script = Array.isArray(script) ? (_request, n) => script[n] ?? saying("(the script is over)") : script;
  }

  /** Resolves when this many requests were sent. */
  untilRequests(count: number): Promise<void> {
    if (this.requests.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const n = this.requests.length;
    this.requests.push(JSON.parse(JSON.stringify(request)) as ModelRequest);
    for (const { count, resolve } of this.#waiting) if (this.requests.length >= count) resolve();
    let text = "";
    const cut = (): ModelEvent => ({ type: "end", parts: text === "" ? [] : [{ type: "text", text }], stop: "cut" });
    for (const event of this.#script(request, n)) {
      if (event.type === "until") await Promise.race([event.promise, aborted(signal)]);
      if (signal.aborted) {
        yield cut();
        return;
      }
      if (event.type === "until") continue;
      if (event.type === "text") text += event.text;
      if (event.type === "retry") text = "";
      yield event;
      if (event.type === "end" || event.type === "failed") return;
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** A whole reply of text, streamed in two chunks. */
export function saying(text: string, { stop = "end", usage }: { stop?: Stop; usage?: Usage } = {}): ScriptedEvent[] {
  const half = Math.ceil(text.length / 2);
  const chunks = [text.slice(0, half), text.slice(half)].filter((chunk) => chunk !== "");
  return [
    ...chunks.map((chunk): ScriptedEvent => ({ type: "text", text: chunk })),
    { type: "end", parts: [{ type: "text", text }], stop, ...(usage ? { usage } : {}) },
  ];
}

export function call(toolCallId: string, name: string, input: Record<string, unknown>): ToolCallPart {
  return { type: "tool_call", toolCallId, name, input };
}

/** A reply that ends in these calls. */
export function calling(...parts: AgentPart[]): ScriptedEvent[] {
  return [
    ...parts.flatMap((part): ScriptedEvent[] => {
      if (part.type !== "tool_call") return [{ type: "text", text: part.text }];
      const text = part.inputText ?? JSON.stringify(part.input);
      return [{ type: "tool_input", toolCallId: part.toolCallId, name: part.name, text }];
    }),
    { type: "end", parts, stop: "tool_calls" },
  ];
}

export function failing(kind: Failure["kind"], message = `the provider says ${kind}`): ScriptedEvent[] {
  return [{ type: "failed", failure: { kind, message } }];
}
