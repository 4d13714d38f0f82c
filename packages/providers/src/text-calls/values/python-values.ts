/** No tool call nests deeper; more comes from a confused model, and would be read recursively. */
const MAX_DEPTH = 64;

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  a: "\x07",
  "0": "\0",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
};

const CONSTANTS: Readonly<Record<string, unknown>> = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
};

const NUMBER = /[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/y;
const WORD = /[A-Za-z_]\w*/y;
const HEX_ESCAPE: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** The text is invalid here; `isCut` if that is because it ends. */
export class PythonSyntaxError extends Error {
  readonly at: number;
  readonly isCut: boolean;

  constructor(at: number, { isCut }: { isCut: boolean }) {
    super("no Python literal");
    this.at = at;
    this.isCut = isCut;
  }
}

/**
 * Reads Python literals: strings, numbers, True, False, None, lists, tuples and dicts, and nothing else. Throws
 * `PythonSyntaxError`. Visits each character once.
 */
export class PythonReader {
  readonly #text: string;
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  get isOver(): boolean {
    return this.at >= this.#text.length;
  }

  skipSpace(): void {
    while (/\s/.test(this.#text[this.at] ?? "x")) this.at += 1;
  }

  /** Takes the character, after white space, if it is the next one. */
  takes(char: string): boolean {
    this.skipSpace();
    if (this.#text[this.at] !== char) return false;
    this.at += 1;
    return true;
  }

  needs(char: string): void {
    if (!this.takes(char)) throw this.mismatch();
  }

  /** A name, with dots if it is one of a module. */
  takesName(): string | undefined {
    this.skipSpace();
    const name = /[A-Za-z_][\w.:/-]*/y;
    name.lastIndex = this.at;
    const match = name.exec(this.#text);
    if (!match) return undefined;
    this.at = name.lastIndex;
    return match[0];
  }

  mismatch(): PythonSyntaxError {
    return new PythonSyntaxError(this.at, { isCut: this.isOver });
  }

  value(depth = 0): unknown {
    if (depth > MAX_DEPTH) throw this.mismatch();
    this.skipSpace();
    const char = this.#text[this.at];
    if (char === '"' || char === "'") return this.#string(false);
    if (char === "[" || char === "(") return this.#items(char === "[" ? "]" : ")", depth);
    if (char === "{") return this.#dict(depth);
    return this.#number() ?? this.#word();
  }

  #items(close: string, depth: number): unknown[] {
    this.at += 1;
    const items: unknown[] = [];
    while (!this.takes(close)) {
      items.push(this.value(depth + 1));
      if (this.takes(",")) continue;
      this.needs(close);
      // Parentheses around one value without a comma may be a group or a tuple; the intent is unknown.
      if (close === ")" && items.length === 1) throw this.mismatch();
      break;
    }
    return items;
  }

  #dict(depth: number): Record<string, unknown> {
    this.at += 1;
    const entries: [string, unknown][] = [];
    while (!this.takes("}")) {
      const key = this.value(depth + 1);
      if (typeof key !== "string") throw this.mismatch();
      this.needs(":");
      entries.push([key, this.value(depth + 1)]);
      if (this.takes(",")) continue;
      this.needs("}");
      break;
    }
    return Object.fromEntries(entries);
  }

  #number(): number | undefined {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.#text);
    if (!match) return undefined;
    this.at = NUMBER.lastIndex;
    // A number at the very end may be incomplete.
    if (this.isOver || /\w/.test(this.#text[this.at] ?? "")) throw this.mismatch();
    const sign = match[0].startsWith("-") ? -1 : 1;
    return sign * Number(match[0].replace(/^[-+]/, "").replaceAll("_", ""));
  }

  #word(): unknown {
    WORD.lastIndex = this.at;
    const word = WORD.exec(this.#text)?.[0];
    if (word === undefined) throw this.mismatch();
    if (/^[rR]$/.test(word) && /["']/.test(this.#text[this.at + 1] ?? "")) {
      this.at += 1;
      return this.#string(true);
    }
    if (!Object.hasOwn(CONSTANTS, word)) {
      if (this.at + word.length >= this.#text.length) this.at += word.length;
      throw this.mismatch();
    }
    this.at += word.length;
    return CONSTANTS[word];
  }

  #string(isRaw: boolean): string {
    const text = this.#text;
    const quote = text[this.at] ?? "";
    const marks = text.startsWith(quote.repeat(3), this.at) ? quote.repeat(3) : quote;
    const pieces: string[] = [];
    let from = this.at + marks.length;
    for (this.at = from; !this.isOver; ) {
      if (text.startsWith(marks, this.at)) {
        pieces.push(text.slice(from, this.at));
        this.at += marks.length;
        return pieces.join("");
      }
      if (text[this.at] !== "\\") this.at += 1;
      else if (isRaw) this.at += 2;
      else {
        pieces.push(text.slice(from, this.at), this.#escape());
        from = this.at;
      }
    }
    throw this.mismatch();
  }

  /** Unknown escapes stay unchanged, as in Python. */
  #escape(): string {
    const char = this.#text[this.at + 1] ?? "";
    const digits = HEX_ESCAPE[char];
    const hex = digits === undefined ? "" : this.#text.slice(this.at + 2, this.at + 2 + digits);
    if (digits !== undefined && new RegExp(`^[0-9a-fA-F]{${digits}}$`).test(hex)) {
      const code = Number.parseInt(hex, 16);
      if (code > 0x10ffff) throw this.mismatch();
      this.at += 2 + digits;
      return digits === 8 ? String.fromCodePoint(code) : String.fromCharCode(code);
    }
    this.at += 2;
    return ESCAPES[char] ?? `\\${char}`;
  }
}
