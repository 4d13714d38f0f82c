import type { ModelEvent, ModelRequest } from "@harness/core";
import type { RepairKind } from "@harness/protocol";
import type { WireProvider } from "../wires/wire-api.ts";
import { repairedReply } from "./repair/repaired-reply.ts";
import { HeldMarkup } from "./scan/held-markup.ts";
import { ThinkSplitter } from "./thinking/think-splitter.ts";

/** `native`: the model was offered tools and wrote text all the same. `prompted`: it was asked for calls as text. */
export type TextCallMode = "native" | "prompted";

const kinds: Readonly<Record<TextCallMode, RepairKind>> = {
  native: "text_call",
  prompted: "no_native_tools",
};

/**
 * Reads calls and thinking from a model's text. Deltas pass through, except for markup. The parts of `end` are
 * repaired, with a `repair` event for each change. A reply with native calls keeps its text.
 */
export function withTextCalls(provider: WireProvider, mode: TextCallMode): WireProvider {
  return {
    id: provider.id,
    async *stream(request: ModelRequest, signal: AbortSignal) {
      let view = new ReplyView(request);
      for await (const event of provider.stream(request, signal)) {
        if (event.type === "text") yield* view.text(event.text);
        else if (event.type === "end") {
          const { end, repairs } = repairedReply(event, request, kinds[mode]);
          yield* view.end(end);
          yield* repairs;
          yield end;
        } else {
          if (event.type === "failed") yield* view.end();
          if (event.type === "retry") view = new ReplyView(request);
          yield event;
        }
      }
    },
  };
}

type Delta = Extract<ModelEvent, { type: "text" | "thinking" }>;

/** The visible part of one attempt. */
class ReplyView {
  readonly #thoughts = new ThinkSplitter();
  readonly #markup: HeldMarkup;
  readonly #shown: string[] = [];

  constructor(request: ModelRequest) {
    this.#markup = new HeldMarkup(request.tools.map((tool) => tool.name));
  }

  text(delta: string): Delta[] {
    const { text, thinking } = this.#thoughts.push(delta);
    return this.#deltas(thinking, text === "" ? "" : this.#markup.push(text));
  }

  /** Shows what was held, as far as it is text in the end; without an end all of it. */
  end(end?: Extract<ModelEvent, { type: "end" }>): Delta[] {
    const { text, thinking } = this.#thoughts.end();
    const held = this.#markup.push(text) + this.#markup.end();
    if (!end) return this.#deltas(thinking, held);
    // What calls were made of is not shown any more; what remains of the text is.
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
