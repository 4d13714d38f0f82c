import { repairJson } from "@harness/core";
import { asText, tryParseJson } from "../../json/lenient-json.ts";

const FENCE = /^`{1,3}[a-z]{0,8}/i;
const HEAD = /^\s*(?:```[a-z]{0,8}\s*)?\{\s*"say"\s*:\s*"/i;
const OBJECT = /^\s*(?:```[a-z]{0,8}\s*)?\{/i;
/** A reply that has not begun like the object by then has a different form. */
const MAX_HEAD = 64;

/**
 * Streams the text of a reply of the form `{"say": "…", "calls": […]}`, with or without a fence. An object that begins
 * differently shows nothing until it is complete.
 */
export class SayStream {
  #state: "head" | "words" | "over" | "object" | "other" = "head";
  #held = "";

  /** The schema was not enforced: the model answered in its own way. */
  get isOther(): boolean {
    return this.#state === "other" || this.#state === "object";
  }

  /** The text has ended: calls follow. */
  get isOver(): boolean {
    return this.#state === "over";
  }

  push(delta: string): string {
    if (this.#state === "over" || this.#state === "object") return "";
    if (this.#state === "other") return delta;
    this.#held += delta;
    if (this.#state === "head") {
      const head = HEAD.exec(this.#held);
      if (!head) return this.#isHopeless() ? this.#abandon() : "";
      this.#held = this.#held.slice(head[0].length);
      this.#state = "words";
    }
    return this.#words();
  }

  /** The held text is the beginning of the object, so none of it is shown. */
  end(): string {
    return "";
  }

  #isHopeless(): boolean {
    const compact = this.#held.replace(/\s+/g, "").replace(FENCE, "");
    return this.#held.length > MAX_HEAD || !'{"say":"'.startsWith(compact);
  }

  #abandon(): string {
    const isObject = OBJECT.test(this.#held);
    this.#state = isObject ? "object" : "other";
    const text = isObject ? "" : this.#held;
    this.#held = "";
    return text;
  }

  #words(): string {
    const { end, isClosed } = wholeEscapes(this.#held);
    const raw = this.#held.slice(0, end);
    this.#held = isClosed ? "" : this.#held.slice(end);
    if (isClosed) this.#state = "over";
    const parsed = tryParseJson(repairJson(`"${raw}"`).text);
    return parsed.ok ? asText(parsed.value) : raw;
  }
}

/** The end of the string's text, or the start of an incomplete escape or surrogate pair. */
function wholeEscapes(text: string): { end: number; isClosed: boolean } {
  let at = 0;
  while (at < text.length) {
    if (text[at] === '"') return { end: at, isClosed: true };
    if (text[at] !== "\\") {
      at += 1;
      continue;
    }
    const length = text[at + 1] === "u" ? 6 : 2;
    const isHigh = /^\\u[dD][89abAB]/.test(text.slice(at, at + 6));
    const needed = isHigh && (text[at + 6] ?? "\\") === "\\" ? 12 : length;
    if (at + needed > text.length) return { end: at, isClosed: false };
    at += text[at + 7] === "u" ? needed : length;
  }
  const isHalf = /[\ud800-\udbff]$/.test(text);
  return { end: isHalf ? at - 1 : at, isClosed: false };
}
