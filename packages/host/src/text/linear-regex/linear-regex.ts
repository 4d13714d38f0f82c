import { NotLinearError, parseRegex, type RegexNode } from "./parse-regex.ts";

type Anchor = (RegexNode & { kind: "at" })["place"];
/** One step of a compiled expression; `to`: the possible next steps. */
type Step =
  | { kind: "char"; fits: (code: number) => boolean }
  | { kind: "at"; place: Anchor }
  | { kind: "ahead"; isNegated: boolean; after: number }
  | { kind: "go"; to: number[] }
  | { kind: "found" };

const MAX_STEPS = 2_000;
/** The limit for one search; it takes a few hundredths of a second. */
const MAX_TRIED = 1_000_000;

/**
 * A regular expression that is matched in linear time: each step is tried once at each character. It has the semantics
 * of JavaScript, except for backreferences and lookbehind, which it does not support.
 */
export class LinearRegex {
  readonly #steps: Step[] = [];
  readonly #flags: string;
  readonly #isUnicode: boolean;
  readonly #isInLines: boolean;
  readonly #tests = new Map<string, (code: number) => boolean>();

  /** Returns the expression, or the end of a sentence about why it is not supported. */
  static read(source: string, flags = ""): LinearRegex | { problem: string } {
    try {
      new RegExp(source, flags);
      return new LinearRegex(source, flags);
    } catch (error) {
      if (error instanceof NotLinearError) return { problem: `${error.what}, which cannot be matched quickly` };
      return { problem: "is not a valid regular expression" };
    }
  }

  private constructor(source: string, flags: string) {
    this.#flags = flags;
    this.#isUnicode = flags.includes("u");
    this.#isInLines = flags.includes("m");
    this.#add(parseRegex(source, flags));
    this.#push({ kind: "found" });
  }

  /** The index of the first match, -1 if there is none; undefined if the text is too long. */
  search(text: string): number | undefined {
    const width = text.length + 1;
    if (this.#steps.length * width > MAX_TRIED) return undefined;
    const search: Search = { text, tried: new Uint8Array(this.#steps.length * width), open: [], left: 4 * MAX_TRIED };
    for (let start = 0; start <= text.length; start += 1) if (this.#matches(search, 0, start)) return start;
    return search.left < 0 ? undefined : -1;
  }

  #add(node: RegexNode): void {
    switch (node.kind) {
      case "char":
        this.#push({ kind: "char", fits: this.#testOf(node.source) });
        return;
      case "at":
        this.#push({ kind: "at", place: node.place });
        return;
      case "all":
        for (const part of node.parts) this.#add(part);
        return;
      case "either":
        this.#addEither(node.options);
        return;
      case "repeat":
        this.#addRepeat(node);
        return;
      case "ahead": {
        const step = { kind: "ahead" as const, isNegated: node.isNegated, after: 0 };
        this.#push(step);
        this.#add(node.inner);
        this.#push({ kind: "found" });
        step.after = this.#steps.length;
      }
    }
  }

  #addEither(options: readonly RegexNode[]): void {
    const choice = this.#go([]);
    const ends: number[][] = [];
    for (const option of options) {
      choice.to.push(this.#steps.length);
      this.#add(option);
      ends.push(this.#go([]).to);
    }
    for (const end of ends) end.push(this.#steps.length);
  }

  #addRepeat({ inner, least, most }: RegexNode & { kind: "repeat" }): void {
    for (let n = 0; n < least; n += 1) this.#add(inner);
    const skips: number[][] = [];
    if (most === undefined) {
      const start = this.#steps.length;
      const choice = this.#go([start + 1]);
      this.#add(inner);
      this.#go([start]);
      skips.push(choice.to);
    } else {
      for (let n = least; n < most; n += 1) {
        const choice = this.#go([this.#steps.length + 1]);
        this.#add(inner);
        skips.push(choice.to);
      }
    }
    for (const skip of skips) skip.push(this.#steps.length);
  }

  #go(to: number[]): { to: number[] } {
    return this.#push({ kind: "go" as const, to });
  }

  #push<T extends Step>(step: T): T {
    if (this.#steps.length >= MAX_STEPS) throw new NotLinearError("repeats too much");
    this.#steps.push(step);
    return step;
  }

  /** The engine itself decides what a set or an escape means, once for each character. */
  #testOf(source: string): (code: number) => boolean {
    const made = this.#tests.get(source);
    if (made) return made;
    const expression = new RegExp(`^(?:${source})$`, this.#flags.replace(/[^isu]/g, ""));
    const ascii: boolean[] = [];
    const test = (code: number) => {
      if (code > 127) return expression.test(String.fromCodePoint(code));
      const fits = ascii[code] ?? expression.test(String.fromCharCode(code));
      ascii[code] = fits;
      return fits;
    };
    this.#tests.set(source, test);
    return test;
  }

  /** A step and a position that did not lead to an end are not tried again. */
  #matches(search: Search, firstStep: number, start: number): boolean {
    const { text, tried, open } = search;
    const width = text.length + 1;
    const floor = open.length;
    open.push(firstStep, start);
    while (open.length > floor) {
      const place = open.pop() ?? 0;
      const at = open.pop() ?? 0;
      search.left -= 1;
      if (search.left < 0) return false;
      if (tried[at * width + place] === 1) continue;
      tried[at * width + place] = 1;
      const step = this.#steps[at];
      if (!step || step.kind === "found") {
        open.length = floor;
        return true;
      }
      if (step.kind === "char") {
        const code = this.#isUnicode ? (text.codePointAt(place) ?? 0) : text.charCodeAt(place);
        if (place < text.length && step.fits(code)) open.push(at + 1, place + (code > 0xffff ? 2 : 1));
      } else if (step.kind === "go") for (const to of step.to) open.push(to, place);
      else if (step.kind === "at") {
        if (isAt(text, place, step.place, this.#isInLines)) open.push(at + 1, place);
      } else {
        // States that led to an end in the lookahead must be tried again from elsewhere.
        const inner = { text, tried: new Uint8Array(tried.length), open: [], left: search.left };
        const isThere = this.#matches(inner, at + 1, place);
        search.left = inner.left - (tried.length >> 3);
        if (isThere !== step.isNegated) open.push(step.after, place);
      }
    }
    return false;
  }
}

/** `open`: steps with their positions, alternating. */
type Search = { text: string; tried: Uint8Array; open: number[]; left: number };

function isAt(text: string, at: number, anchor: Anchor, inLines: boolean): boolean {
  const isBreak = (char: string | undefined) => inLines && char !== undefined && /[\n\r\u2028\u2029]/.test(char);
  if (anchor === "start") return at === 0 || isBreak(text[at - 1]);
  if (anchor === "end") return at === text.length || isBreak(text[at]);
  const isWord = (char: string | undefined) => char !== undefined && /\w/.test(char);
  return (isWord(text[at - 1]) !== isWord(text[at])) === (anchor === "word edge");
}
