import type { ToolCallContent, ToolCallLocation } from "@agentclientprotocol/sdk/unstable";
import type { DiffBlock } from "@harness/protocol";

type DiffPart = { line: number; content: ToolCallContent };

/** The header of a hunk: where it begins in the old and in the new text. */
const HEADER = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** A diff for each hunk, with the lines around it, and the line where it changes something. */
export function diffParts({ path, change, hunks }: DiffBlock): DiffPart[] {
  if (hunks === "") return [diffPart([], { path, change, start: 1 })];
  const parts: DiffPart[] = [];
  let start = 1;
  let lines: string[] = [];
  const flush = () => {
    if (lines.length > 0) parts.push(diffPart(lines, { path, change, start }));
    lines = [];
  };
  for (const line of hunks.split("\n")) {
    const [header, at] = HEADER.exec(line) ?? [];
    if (header !== undefined) {
      flush();
      start = Math.max(1, Number(at));
    } else if (!line.startsWith("@@")) lines.push(line);
  }
  flush();
  return parts;
}

/** The note of a long diff about the lines that it leaves out. */
export function leftOutOf({ hunks }: DiffBlock): string | undefined {
  const [, note] = /^@@ (\d+ more lines are not shown) @@$/m.exec(hunks) ?? [];
  return note;
}

export function diffLocations(diff: DiffBlock): ToolCallLocation[] {
  return diffParts(diff).map(({ line }) => ({ path: diff.path, line }));
}

type HunkLocation = Pick<DiffBlock, "path" | "change"> & { start: number };

function diffPart(lines: readonly string[], { path, change, start }: HunkLocation): DiffPart {
  const before: string[] = [];
  const after: string[] = [];
  for (const line of lines) {
    const text = line.slice(1);
    if (!/^[+\\]/.test(line)) before.push(text);
    if (!/^[-\\]/.test(line)) after.push(text);
  }
  const first = lines.findIndex((line) => /^[+-]/.test(line));
  return {
    line: start + Math.max(0, first),
    content: {
      type: "diff",
      path,
      oldText: change === "create" ? null : ended(before),
      newText: ended(after),
    },
  };
}

/** Whole lines: a client compares texts, not files. */
function ended(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
