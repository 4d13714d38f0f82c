import { StringDecoder } from "node:string_decoder";

const ESCAPE = "\u001b";

/** A line typed or pasted into a terminal that shows nothing of it. */
export class SecretLine {
  text = "";
  readonly #decoder = new StringDecoder("utf8");
  /** What of an escape sequence has come: arrow keys, and the marks around a paste. */
  #sequence: string | undefined;

  /** What came after the end, such as more lines of a paste, is dropped: no shell shall get it. */
  take(bytes: Buffer): "done" | "interrupted" | undefined {
    for (const character of this.#decoder.write(bytes)) {
      if (this.#sequence !== undefined) this.#skip(character);
      else if (character === ESCAPE) this.#sequence = "";
      else if (character === "\r" || character === "\n" || character === "\u0004") return "done";
      else if (character === "\u0003") return "interrupted";
      else if (character === "\u007f" || character === "\b") this.text = [...this.text].slice(0, -1).join("");
      else if (character === "\u0015") this.text = "";
      else if (character >= " ") this.text += character;
    }
    // A lone Escape key ends with its own bytes.
    if (this.#sequence === "") this.#sequence = undefined;
    return undefined;
  }

  /** CSI runs to a letter or `~`; SS3 and Alt are one character more. */
  #skip(character: string): void {
    this.#sequence += character;
    const isOpen = this.#sequence === "[" || this.#sequence === "O" || /^\[[\d;?<]*$/.test(this.#sequence ?? "");
    if (!isOpen) this.#sequence = undefined;
  }
}
