import { fileURLToPath } from "node:url";
import { isRecord } from "@harness/host";

/** Lines and columns from 0, as servers count them. */
export type CodeMark = { readonly line: number; readonly character: number };
export type CodeLocation = { readonly path: string; readonly start: CodeMark; readonly end: CodeMark };

const MAX_LOCATIONS = 5_000;

/** The locations in an answer: one, several, or links to them. Whatever has another form is left out. */
export function readLocations(answer: unknown): CodeLocation[] {
  const list = Array.isArray(answer) ? answer.slice(0, MAX_LOCATIONS) : [answer];
  return list.flatMap((each) => {
    if (!isRecord(each)) return [];
    const path = pathOfUri(each.uri ?? each.targetUri);
    const range = readRange(each.range ?? each.targetSelectionRange);
    return path !== undefined && range ? [{ path, ...range }] : [];
  });
}

export function readRange(range: unknown): Pick<CodeLocation, "start" | "end"> | undefined {
  if (!isRecord(range) || !isPosition(range.start) || !isPosition(range.end)) return undefined;
  return { start: range.start, end: range.end };
}

/** The path of a `file:` address; undefined for all others. */
export function pathOfUri(uri: unknown): string | undefined {
  try {
    return typeof uri === "string" && uri.startsWith("file:") ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Where a name is in a text: on the line that is given, or the nearest one within a few lines, because models count
 * badly. `line` from 1.
 */
export function findName(text: string, name: string, line: number): CodeMark | { problem: string } {
  const lines = text.split("\n");
  for (const offset of [0, 1, -1, 2, -2, 3, -3]) {
    const at = line - 1 + offset;
    const character = columnOf(lines[at] ?? "", name);
    if (character >= 0) return { line: at, character };
  }
  return { problem: `There is no ${name} in line ${line} or near it.` };
}

/** The first occurrence as a whole word, or the first one. */
function columnOf(line: string, name: string): number {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const isWord = !/[\w$]/.test(line[at - 1] ?? "") && !/[\w$]/.test(line[at + name.length] ?? "");
    if (isWord) return at;
  }
  return line.indexOf(name);
}

function isPosition(value: unknown): value is CodeMark {
  return isRecord(value) && Number.isInteger(value.line) && Number.isInteger(value.character);
}
