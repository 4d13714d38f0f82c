import { openBackticks } from "@harness/client/actions";

/** A message that is typed line by line: it continues after `\` at the end of a line, and within a code fence. */
export class MessageDraft {
  #text: string | undefined;

  get isEmpty(): boolean {
    return this.#text === undefined;
  }

  /** The whole message; undefined as long as it continues. An empty line ends an unclosed fence. */
  take(line: string): string | undefined {
    const before = this.#text;
    const isContinued = before !== undefined && endsOpen(before);
    const text = before === undefined ? line : `${isContinued ? before.slice(0, -1) : before}\n${line}`;
    const goesOn = endsOpen(text) || (openBackticks(text) === "```" && (before === undefined || line !== ""));
    this.#text = goesOn ? text : undefined;
    return goesOn ? undefined : text;
  }

  /** The text so far, if the rest will never arrive. */
  end(): string | undefined {
    const text = this.#text;
    this.#text = undefined;
    return text;
  }
}

/** An odd number of backslashes: pairs are escaped ones. */
function endsOpen(text: string): boolean {
  const [backslashes = ""] = /\\*$/.exec(text) ?? [];
  return backslashes.length % 2 === 1;
}
