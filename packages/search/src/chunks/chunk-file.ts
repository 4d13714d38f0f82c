import type { Chunk, FileChunks } from "./chunk.ts";
import { codeChunks, headerOf } from "./code-chunks.ts";
import type { GrammarSet } from "./grammar-set.ts";
import { languageOfPath, languages } from "./languages.ts";
import { rangeChunks } from "./line-chunks.ts";
import { markdownChunks } from "./markdown-chunks.ts";
import { notebookChunks } from "./notebook-chunks.ts";

/** Larger files are generated, or data; a grammar would take long and find nothing that people wrote. */
const MAX_PARSED = 1_000_000;
/** Lines so long on average are minified. */
const MINIFIED_LINE = 400;
/** Of a file of data, the start shows what it is. */
const MAX_PLAIN_CHUNKS = 500;

export type SourceFile = { path: string; text: string };

/** Cuts a file into chunks. Never throws, whatever is in it. */
export async function chunkFile({ path, text }: SourceFile, grammars: GrammarSet): Promise<FileChunks> {
  const language = languageOfPath(path);
  const plain = plainText(text);
  const lines = plain.split("\n");
  if (language === "markdown") return { language, header: "", chunks: markdownChunks(lines), isFallback: false };
  const cells = language === "notebook" ? notebookChunks(plain, lines) : undefined;
  if (cells) return { language, header: "", chunks: cells, isFallback: false };
  const isParsed =
    languages[language]?.grammar !== undefined &&
    plain.length <= MAX_PARSED &&
    plain.length < MINIFIED_LINE * lines.length;
  const code = isParsed ? await codeChunks(language, plain, lines, grammars).catch(() => undefined) : undefined;
  return code ? { language, ...code, isFallback: false } : lineChunks({ path, text });
}

/** A file in chunks without the grammar of its language. */
export function lineChunks({ path, text }: SourceFile): FileChunks {
  const language = languageOfPath(path);
  const lines = plainText(text).split("\n");
  const kind = language === "text" ? "text" : "code";
  const range = { startRow: 0, endRow: lines.length - 1 };
  const chunks = rangeChunks(lines, range, { kind, names: [], signatures: [], comment: "" }).slice(0, MAX_PLAIN_CHUNKS);
  return { language, header: "", chunks, isFallback: languages[language]?.grammar !== undefined };
}

/**
 * A file that has been cut into these chunks before, under another path; undefined if that does not say what it is now.
 */
export function movedFile(
  { path, text }: SourceFile,
  known: readonly (Chunk & { language: string })[],
): FileChunks | undefined {
  const language = languageOfPath(path);
  if (known.length === 0 || known[0]?.language !== language) return undefined;
  const chunks = known.map(({ kind, startLine, endLine, names, signatures, comment, text: its }) => ({
    ...{ kind, startLine, endLine, names, signatures, comment, text: its },
  }));
  if (languages[language]?.grammar === undefined) return { language, header: "", chunks, isFallback: false };
  // Without a definition it may have been cut by lines.
  if (chunks.every(({ signatures }) => signatures.length === 0)) return undefined;
  return { language, header: headerOf(plainText(text).split("\n")), chunks, isFallback: false };
}

/** Without a byte order mark and the `\r` of line ends. */
function plainText(text: string): string {
  return (text.startsWith("\ufeff") ? text.slice(1) : text).replaceAll("\r\n", "\n");
}
