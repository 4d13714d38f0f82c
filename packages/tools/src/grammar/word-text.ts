import type { ShellWord } from "@harness/gate";

/** Part of a word that the shell expands at run time: it stays in the text as written. */
export type WordSpan = { start: number; end: number };

/**
 * The value of a word as a program receives it: quotes and backslashes are removed as in bash. `expansions` are
 * relative to `source`. A word with unquoted patterns, home folders or braces is not literal.
 */
export function wordText(source: string, expansions: readonly WordSpan[]): ShellWord {
  const reader = new WordReader(source, expansions);
  return reader.read();
}

const standsForOthers = /[*?[\]{}~]/;
const escapedInDoubleQuotes = /["\\$`]/;

class WordReader {
  readonly #source: string;
  readonly #expansions: ReadonlyMap<number, number>;
  #text = "";
  #literal = true;
  #at = 0;

  constructor(source: string, expansions: readonly WordSpan[]) {
    this.#source = source;
    this.#expansions = new Map(
      expansions.filter(({ start, end }) => end > start).map(({ start, end }) => [start, end]),
    );
  }

  read(): ShellWord {
    while (this.#at < this.#source.length) this.#part();
    return { text: this.#text, literal: this.#literal };
  }

  #part(): void {
    if (this.#expansion()) return;
    const sign = this.#source[this.#at] ?? "";
    const next = this.#source[this.#at + 1] ?? "";
    if (sign === "'") this.#single();
    else if (sign === '"') this.#double(1);
    else if (sign === "$" && next === '"') this.#double(2);
    else if (sign === "$" && next === "'") this.#ansi();
    else if (sign === "\\") {
      if (next !== "\n") this.#text += next;
      this.#at += 2;
    } else {
      if (standsForOthers.test(sign)) this.#literal = false;
      this.#text += sign;
      this.#at += 1;
    }
  }

  #expansion(): boolean {
    const end = this.#expansions.get(this.#at);
    if (end === undefined) return false;
    this.#text += this.#source.slice(this.#at, end);
    this.#literal = false;
    this.#at = end;
    return true;
  }

  #single(): void {
    const end = this.#source.indexOf("'", this.#at + 1);
    const stop = end < 0 ? this.#source.length : end;
    this.#text += this.#source.slice(this.#at + 1, stop);
    this.#at = stop + 1;
  }

  #double(opening: number): void {
    this.#at += opening;
    while (this.#at < this.#source.length && this.#source[this.#at] !== '"') {
      if (this.#expansion()) continue;
      const sign = this.#source[this.#at] ?? "";
      const next = this.#source[this.#at + 1] ?? "";
      if (sign === "\\" && (escapedInDoubleQuotes.test(next) || next === "\n")) {
        if (next !== "\n") this.#text += next;
        this.#at += 2;
      } else {
        this.#text += sign;
        this.#at += 1;
      }
    }
    this.#at += 1;
  }

  #ansi(): void {
    const body = /(?:[^'\\]|\\[\s\S])*/y;
    body.lastIndex = this.#at + 2;
    const content = body.exec(this.#source)?.[0] ?? "";
    this.#text += ansiText(content);
    this.#at += 2 + content.length + 1;
  }
}

const named: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  E: "\u001b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** The inside of `$'…'` (bash manual, ANSI-C quoting). */
function ansiText(content: string): string {
  return content.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g,
    (_all, hex?: string, short?: string, long?: string, octal?: string, control?: string, sign = "") => {
      const code = hex ?? short ?? long;
      if (code !== undefined) return fromCode(Number.parseInt(code, 16));
      if (octal !== undefined) return fromCode(Number.parseInt(octal, 8) & 0xff);
      if (control !== undefined) return fromCode(control.charCodeAt(0) & 0x1f);
      return named[sign] ?? sign;
    },
  );
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}
