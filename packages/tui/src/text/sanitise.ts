import { EscapeReader } from "./escape-reader.ts";
import { dropHidden } from "./hidden-characters.ts";

const CONTROL = /(?![\t\n])\p{Cc}/u;

/**
 * Strips escape sequences and control characters from a stream of untrusted text; newlines (in any form) and tabs stay.
 */
export class PlainText {
  #out = "";
  #returned = false;
  readonly #reader = new EscapeReader({
    text: (run) => this.#add(run),
    newline: () => this.#add("\n"),
    carriageReturn: () => {
      if (this.#returned) this.#out += "\n";
      this.#returned = true;
    },
    tab: () => this.#add("\t"),
    backspace: () => undefined,
    sgr: () => undefined,
    eraseLine: () => undefined,
  });

  /** Hidden characters are still in the clean text: `dropHidden` needs their neighbours. */
  push(chunk: string): string {
    this.#reader.push(chunk);
    return this.#take();
  }

  end(): string {
    this.#reader.end();
    if (this.#returned) this.#out += "\n";
    this.#returned = false;
    return this.#take();
  }

  #add(text: string): void {
    // A lone carriage return ends a line; together with a newline it is one line end.
    if (this.#returned && text !== "\n") this.#out += "\n";
    this.#returned = false;
    this.#out += text;
  }

  #take(): string {
    const out = this.#out;
    this.#out = "";
    return out;
  }
}

/**
 * Untrusted text as plain text, without escape sequences and hidden characters; newlines (in any form) and tabs stay.
 * Linear in the text.
 */
export function sanitise(text: string): string {
  if (!CONTROL.test(text)) return dropHidden(text);
  const plain = new PlainText();
  return dropHidden(plain.push(text) + plain.end());
}

/** The same on one line: newlines and tabs become blanks. For titles, names and paths. */
export function sanitiseLine(text: string): string {
  return sanitise(text).replace(/[\n\t]+/g, " ");
}

/** The lines of an untrusted text, with blanks in place of tabs. */
export function textLines(text: string): string[] {
  return sanitise(text).replaceAll("\t", "    ").split("\n");
}
