import type { ModelEvent, ModelRequest } from "@harness/core";
import type { AgentPart } from "@harness/protocol";
import type { WireProvider } from "../wires/wire-api.ts";
import type { RepairedReply } from "./repair/repaired-reply.ts";
import { ThinkSplitter } from "./thinking/think-splitter.ts";

type End = Extract<ModelEvent, { type: "end" }>;
type Delta = Extract<ModelEvent, { type: "text" | "thinking" }>;

/** Keeps markup off the screen that is not text for people. Both methods return the text that may be shown now. */
interface TextFilter {
  push(delta: string): string;
  /** The reply is over, or broke off. */
  end(): string;
}

/** A way in which replies contain calls in their text. */
export type ReplyForm = {
  filter(request: ModelRequest): TextFilter;
  /** The whole reply with its calls, and its repairs. */
  read(end: End, request: ModelRequest): RepairedReply;
  /** The visible part of a reply that failed; absent: all of it. */
  visibleParts?(parts: readonly AgentPart[]): AgentPart[];
};

/**
 * Reads calls and thinking from a model's text. Deltas pass through, except for markup. The parts of `end` are
 * repaired, with a `repair` event for each change.
 */
export function withReadReplies(provider: WireProvider, formOf: (request: ModelRequest) => ReplyForm): WireProvider {
  return {
    id: provider.id,
    async *stream(request, signal) {
      const form = formOf(request);
      let view = new ReplyView(form.filter(request));
      for await (const event of provider.stream(request, signal)) {
        if (event.type === "text") yield* view.text(event.text);
        else if (event.type === "end") {
          const { end, repairs } = form.read(event, request);
          yield* view.end(end);
          yield* repairs;
          yield end;
        } else if (event.type === "failed") {
          yield* view.end();
          const { parts } = event;
          yield parts && form.visibleParts ? { ...event, parts: form.visibleParts(parts) } : event;
        } else {
          if (event.type === "retry") view = new ReplyView(form.filter(request));
          yield event;
        }
      }
    },
  };
}

/** The visible part of one attempt. */
class ReplyView {
  readonly #thoughts = new ThinkSplitter();
  readonly #filter: TextFilter;
  readonly #shown: string[] = [];

  constructor(filter: TextFilter) {
    this.#filter = filter;
  }

  text(delta: string): Delta[] {
    const { text, thinking } = this.#thoughts.push(delta);
    return this.#deltas(thinking, text === "" ? "" : this.#filter.push(text));
  }

  /** Shows the held text that turned out to be text; without an end all of it. */
  end(end?: End): Delta[] {
    const { text, thinking } = this.#thoughts.end();
    const held = this.#filter.push(text) + this.#filter.end();
    if (!end) return this.#deltas(thinking, held);
    // Text that became calls is no longer shown; the rest is.
    const shown = this.#shown.join("");
    const whole = end.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    return this.#deltas(thinking, whole.startsWith(shown) ? whole.slice(shown.length) : "");
  }

  #deltas(thinking: string, text: string): Delta[] {
    if (text !== "") this.#shown.push(text);
    return [
      ...(thinking === "" ? [] : [{ type: "thinking" as const, text: thinking }]),
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ];
  }
}
