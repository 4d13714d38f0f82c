import { StringDecoder } from "node:string_decoder";

const ESCAPE = "\u001b";

/** A line that is typed or pasted into a terminal without echo. */
export class SecretLine {
  text = "";
  readonly #decoder = new StringDecoder("utf8");
  /** The escape sequence so far: arrow keys, and the markers around a paste. */
  #sequence: string | undefined;

  /** Input after the end, such as more lines of a paste, is dropped, so that no shell runs it. */
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
    // A lone Escape key ends with its own byte.
    if (this.#sequence === "") this.#sequence = undefined;
    return undefined;
  }

  /** CSI sequences end with a letter or `~`; SS3 and Alt have one more character. */
  #skip(character: string): void {
    this.#sequence += character;
    const isOpen = this.#sequence === "[" || this.#sequence === "O" || /^\[[\d;?<]*$/.test(this.#sequence ?? "");
    if (!isOpen) this.#sequence = undefined;
  }
}
