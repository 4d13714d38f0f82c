import type { Chunk, FileChunks } from "./chunk.ts";
import { type CodeItem, CodeItems } from "./code-items.ts";
import { plainComment } from "./comment-text.ts";
import type { GrammarSet } from "./grammar-set.ts";
import { languages } from "./languages.ts";
import { isBlankLine, MAX_CHUNK_CHARACTERS, rangeChunks } from "./line-chunks.ts";

const MAX_HEADER = 500;
/** Definitions and lines between them that are shorter are joined with their neighbours. */
const CRUMB_CHARACTERS = 250;
const JOINED_CHARACTERS = 1_200;

/** The chunks of a source file by its grammar; undefined if it cannot be read by it. */
export async function codeChunks(
  language: string,
  text: string,
  lines: readonly string[],
  grammars: GrammarSet,
): Promise<Omit<FileChunks, "language" | "isFallback"> | undefined> {
  const row = languages[language];
  const tree = row && (await grammars.parse(language, text));
  if (!tree) return undefined;
  try {
    const found = new CodeItems(row);
    found.visit(tree.rootNode);
    if (found.items.length === 0 && found.brokenCharacters * 2 > text.length) return undefined;
    const chunks = joined(covering(found.items, lines), lines).flatMap((item) => chunksOf(item, lines));
    return { header: headerOf(lines), chunks };
  } finally {
    tree.delete();
  }
}

/** The items in order, with the lines between them as items too: every line that is not blank is in one of them. */
function covering(items: readonly CodeItem[], lines: readonly string[]): CodeItem[] {
  const all: CodeItem[] = [];
  let next = 0;
  for (const item of [...items].sort((one, other) => one.startRow - other.startRow)) {
    const before = all.at(-1);
    if (before && item.startRow <= before.endRow) {
      // Two on one line are one item.
      before.endRow = Math.max(before.endRow, item.endRow);
      before.names.push(...item.names);
    } else {
      addGap(all, lines, next, item.startRow - 1);
      all.push({ ...item, names: [...item.names] });
    }
    next = (all.at(-1)?.endRow ?? -1) + 1;
  }
  addGap(all, lines, next, lines.length - 1);
  return all;
}

/** Closing braces and the like belong to what is before them. */
function addGap(all: CodeItem[], lines: readonly string[], from: number, to: number): void {
  let startRow = from;
  let endRow = to;
  while (startRow <= endRow && isBlankLine(lines[startRow])) startRow += 1;
  while (startRow <= endRow && isBlankLine(lines[endRow])) endRow -= 1;
  if (startRow > endRow) return;
  const before = all.at(-1);
  if (before && !/[\p{L}\p{N}]{4}/u.test(lines.slice(startRow, endRow + 1).join("\n"))) before.endRow = endRow;
  else all.push({ kind: "code", startRow, endRow, names: [], signatures: [], comment: "" });
}

/** Joins crumbs that follow each other. */
function joined(items: readonly CodeItem[], lines: readonly string[]): CodeItem[] {
  const all: CodeItem[] = [];
  for (const item of items) {
    const before = all.at(-1);
    const size = sizeOf(item, lines);
    if (
      before &&
      mayJoin(before, item) &&
      size < CRUMB_CHARACTERS &&
      sizeOf(before, lines) + size < JOINED_CHARACTERS
    ) {
      before.endRow = item.endRow;
      before.names.push(...item.names);
      before.comment = [before.comment, item.comment].filter(Boolean).join("\n");
      if (before.kind !== item.kind) before.kind = before.kind === "code" ? item.kind : before.kind;
      if (before.signatures.length === 0) before.signatures = item.signatures;
    } else all.push({ ...item });
  }
  return all;
}

/** Members of one class, or definitions of one file. */
function mayJoin(before: CodeItem, item: CodeItem): boolean {
  if (before.signatures.length === 0 || item.signatures.length === 0) return true;
  const outer = (each: CodeItem) => each.signatures.slice(0, -1).join("\n");
  return outer(before) === outer(item);
}

function sizeOf({ startRow, endRow }: CodeItem, lines: readonly string[]): number {
  let size = 0;
  for (let row = startRow; row <= endRow; row += 1) size += (lines[row]?.length ?? 0) + 1;
  return size;
}

/** A long definition in parts; the first has its name and comment. */
function chunksOf(item: CodeItem, lines: readonly string[]): Chunk[] {
  const { kind, signatures, comment } = item;
  const names = [...new Set(item.names)];
  const target = sizeOf(item, lines) <= MAX_CHUNK_CHARACTERS ? MAX_CHUNK_CHARACTERS : MAX_CHUNK_CHARACTERS / 2;
  return rangeChunks(lines, item, { kind, names, signatures, comment }, target);
}

/** Ends of comments of several lines, by their start. */
const BLOCK_ENDS: Readonly<Record<string, string>> = { "/*": "*/", '"""': '"""', "'''": "'''" };
const LINE_COMMENT = /^\s*(?:\/\/|#(?!include|define|if|pragma|!\[)|--)/;
const MAX_HEADER_LINES = 30;

/** The comment at the top of the file. */
export function headerOf(lines: readonly string[]): string {
  const start = lines.findIndex((line) => !isBlankLine(line) && !line.startsWith("#!") && !line.startsWith("<?php"));
  const top = lines.slice(Math.max(start, 0), start + MAX_HEADER_LINES);
  const [mark = ""] = /^\s*(?:\/\*|"""|''')/.exec(top[0] ?? "") ?? [];
  const blockEnd = BLOCK_ENDS[mark.trim()];
  const end =
    blockEnd === undefined
      ? top.findIndex((line) => !LINE_COMMENT.test(line))
      : top.findIndex((line, row) => line.includes(blockEnd, row === 0 ? mark.length : 0)) + 1;
  const comment = top.slice(0, end < 0 || (end === 0 && blockEnd !== undefined) ? top.length : end);
  return plainComment(comment.join("\n")).slice(0, MAX_HEADER).toWellFormed();
}
