import { visibleText } from "@harness/protocol";

/** A line of code: its indentation stays as it is. */
export function visibleCode(line: string): string {
  const [indent = ""] = /^[ \t]*/.exec(line) ?? [];
  return indent + visibleText(line.slice(indent.length));
}
