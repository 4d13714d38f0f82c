/** The tags around a model's thinking if the server leaves it in the text. */
export const THINK_TAGS = [
  { open: "<think>", close: "</think>", source: "DeepSeek-R1, Qwen 3, GLM, MiniMax, Nemotron" },
  { open: "<thinking>", close: "</thinking>", source: "fine-tunes on Claude's older prompts" },
  { open: "<thought>", close: "</thought>", source: "Gemini and EXAONE (LG)" },
  { open: "<seed:think>", close: "</seed:think>", source: "Seed-OSS (ByteDance)" },
  { open: "◁think▷", close: "◁/think▷", source: "Kimi-VL (Moonshot AI)" },
  { open: "[THINK]", close: "[/THINK]", source: "Magistral (Mistral)" },
  { open: "<|START_THINKING|>", close: "<|END_THINKING|>", source: "Command A (Cohere)" },
] as const;

export type ThinkPieces = { text: string; thinking: string };

/** If a tag follows more white space than this, it does not count as thinking. */
const MAX_MARGIN = 100;
const MAX_CLOSE = Math.max(...THINK_TAGS.map((tag) => tag.close.length));

/**
 * Separates thoughts at the beginning of a stream of text; tags may be split anywhere between two deltas. Text is held
 * only as long as it takes to recognise a tag, and nothing is lost. Linear.
 */
export class ThinkSplitter {
  #state: "start" | "thinking" | "gap" | "text" = "start";
  #close: readonly string[] = [];
  /** At the start white space and a partial tag; among thoughts a partial closing tag. */
  #held = "";

  /** True if there were thoughts. */
  get hasThoughts(): boolean {
    return this.#close.length > 0;
  }

  /** True if the closing tag has arrived. */
  get isClosed(): boolean {
    return this.#state === "gap" || (this.#state === "text" && this.hasThoughts);
  }

  push(delta: string): ThinkPieces {
    const pieces: ThinkPieces = { text: "", thinking: "" };
    let rest = this.#held + delta;
    this.#held = "";
    if (this.#state === "start") rest = this.#start(rest);
    if (this.#state === "thinking") rest = this.#think(rest, pieces);
    if (this.#state === "gap") rest = this.#skip(rest);
    if (this.#state === "text") pieces.text = rest;
    return pieces;
  }

  /** Returns the text that was still held. */
  end(): ThinkPieces {
    const held = this.#held;
    this.#held = "";
    return this.#state === "thinking" ? { text: "", thinking: held } : { text: held, thinking: "" };
  }

  #open(close: readonly string[]): void {
    this.#close = close;
    this.#state = "thinking";
  }

  #start(rest: string): string {
    const inner = rest.trimStart();
    if (rest.length - inner.length > MAX_MARGIN) {
      this.#state = "text";
      return rest;
    }
    const tag = THINK_TAGS.find((each) => inner.startsWith(each.open));
    if (tag) {
      this.#open([tag.close]);
      return inner.slice(tag.open.length);
    }
    if (THINK_TAGS.some((each) => each.open.startsWith(inner))) {
      this.#held = rest;
      return "";
    }
    this.#state = "text";
    return rest;
  }

  #think(rest: string, pieces: ThinkPieces): string {
    const found = this.#close
      .map((close) => ({ close, at: rest.indexOf(close) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at)[0];
    if (found) {
      pieces.thinking = rest.slice(0, found.at);
      this.#state = "gap";
      return rest.slice(found.at + found.close.length);
    }
    const keep = halfTag(rest, this.#close);
    pieces.thinking = rest.slice(0, rest.length - keep);
    this.#held = rest.slice(rest.length - keep);
    return "";
  }

  /** Templates put empty lines between thoughts and text. */
  #skip(rest: string): string {
    const text = rest.trimStart();
    if (text !== "") this.#state = "text";
    return text;
  }
}

/** The number of characters at the end that may begin a closing tag. */
function halfTag(text: string, tags: readonly string[]): number {
  for (let length = Math.min(MAX_CLOSE - 1, text.length); length > 0; length -= 1) {
    const end = text.slice(-length);
    if (tags.some((tag) => tag.length > length && tag.startsWith(end))) return length;
  }
  return 0;
}
