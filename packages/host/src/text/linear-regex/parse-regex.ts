/** The parts of a regular expression. `source`: one character or set of characters, in JavaScript syntax. */
export type RegexNode =
  | { kind: "char"; source: string }
  | { kind: "at"; place: "start" | "end" | "word edge" | "no word edge" }
  | { kind: "ahead"; isNegated: boolean; inner: RegexNode }
  | { kind: "all"; parts: RegexNode[] }
  | { kind: "either"; options: RegexNode[] }
  | { kind: "repeat"; inner: RegexNode; least: number; most: number | undefined };

/** The expression would take more than linear time, or is too rare to be supported: `what` it does. */
export class NotLinearError extends Error {
  readonly what: string;

  constructor(what: string) {
    super(what);
    this.what = what;
  }
}

const MAX_DEPTH = 100;
const QUANTIFIER = /(?:[*+?]|\{(\d{1,7})(,(\d{0,7}))?\})\??/y;
const PLACES = { "^": "start", $: "end", "\\b": "word edge", "\\B": "no word edge" } as const;

/** Parses an expression that the engine has already accepted. Throws `NotLinearError`. */
export function parseRegex(source: string, flags: string): RegexNode {
  return new RegexReader(source, flags).options(0);
}

class RegexReader {
  readonly #source: string;
  readonly #escape: RegExp;
  readonly #any: RegExp;
  #at = 0;

  constructor(source: string, flags: string) {
    const isUnicode = flags.includes("u");
    this.#source = source;
    const wide = isUnicode ? "u\\{[0-9a-f]+\\}|p\\{[^}]*\\}|u[0-9a-f]{4}\\\\u[0-9a-f]{4}|" : "";
    this.#escape = new RegExp(`\\\\(?:${wide}x[0-9a-f]{2}|u[0-9a-f]{4}|c[a-z]|[^])`, "iy");
    this.#any = new RegExp("[^]", isUnicode ? "yu" : "y");
  }

  options(depth: number): RegexNode {
    if (depth > MAX_DEPTH) throw new NotLinearError("has groups inside more than a hundred others");
    const options = [this.#all(depth)];
    while (this.#take("|")) options.push(this.#all(depth));
    const [only] = options;
    return options.length === 1 && only ? only : { kind: "either", options };
  }

  #all(depth: number): RegexNode {
    const parts: RegexNode[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at] ?? ""))
      parts.push(this.#term(depth));
    return { kind: "all", parts };
  }

  #term(depth: number): RegexNode {
    const inner = this.#atom(depth);
    const [taken, least, range, most] = this.#match(QUANTIFIER) ?? [];
    if (taken === undefined) return inner;
    if (least !== undefined) {
      const from = Number(least);
      return { kind: "repeat", inner, least: from, most: range === undefined ? from : most ? Number(most) : undefined };
    }
    return { kind: "repeat", inner, least: taken[0] === "+" ? 1 : 0, most: taken[0] === "?" ? 1 : undefined };
  }

  #atom(depth: number): RegexNode {
    const char = this.#source[this.#at] ?? "";
    if (char === "(") return this.#group(depth);
    if (char === "[") return { kind: "char", source: this.#set() };
    const source = this.#match(char === "\\" ? this.#escape : this.#any)?.[0] ?? "";
    if (/^\\(?:[1-9]|k)/.test(source)) throw new NotLinearError("refers back to what a group has matched");
    const place = PLACES[source as keyof typeof PLACES];
    if (place) return { kind: "at", place };
    return { kind: "char", source: /^[\])}{]$/.test(source) ? `\\${source}` : source };
  }

  #group(depth: number): RegexNode {
    const start = this.#match(/\((?:\?(?:<?[=!]|:|<[^>]*>))?/y)?.[0] ?? "";
    if (start === "(?<=" || start === "(?<!") throw new NotLinearError("looks behind");
    if (this.#source[this.#at] === "?") throw new NotLinearError("changes its flags in the middle");
    const inner = this.options(depth + 1);
    this.#take(")");
    if (start === "(?=" || start === "(?!") return { kind: "ahead", isNegated: start === "(?!", inner };
    return inner;
  }

  #set(): string {
    const start = this.#at;
    this.#at += 1;
    while (this.#at < this.#source.length && this.#source[this.#at] !== "]")
      this.#at += this.#source[this.#at] === "\\" ? 2 : 1;
    this.#at += 1;
    return this.#source.slice(start, this.#at);
  }

  #take(char: string): boolean {
    if (this.#source[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source) ?? undefined;
    if (found) this.#at += found[0].length;
    return found;
  }
}
