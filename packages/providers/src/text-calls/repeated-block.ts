import type { ModelRequest } from "@harness/core";
import { textOf } from "@harness/protocol";

/**
 * Did a tool, a person or an instruction file show the model this very block? Then the model repeats what it read, and
 * a file that it read must not run anything. White space, escapes and the numbers of lines do not count.
 */
export function isRepeated(block: string, { system, messages }: ModelRequest): boolean {
  const wanted = piecesOf(block)
    .map(squashed)
    .filter((each) => each !== "");
  const isIn = (text: string) => {
    const seen = squashed(text);
    return wanted.some((each) => seen.includes(each));
  };
  return (
    messages.some((message) => {
      if (message.role === "assistant") return false;
      return isIn(message.role === "tool" ? message.text : textOf(message.content));
    }) || isIn(system)
  );
}

/** A fence is the reply's own; what is in it may have been read. */
function piecesOf(block: string): string[] {
  return /^[`~]{3}/.test(block) ? block.split(/^ {0,3}[`~]{3,}.*$/m) : [block];
}

function squashed(text: string): string {
  return text.replace(/^[ \t]*\d+\t/gm, "").replace(/\\[nrt]|[\s\\]/g, "");
}
