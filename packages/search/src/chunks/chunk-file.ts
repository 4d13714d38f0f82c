import type { Chunk, FileChunks } from "./chunk.ts";
import { codeChunks } from "./code-chunks.ts";
import type { GrammarSet } from "./grammar-set.ts";
import { languageOfPath, languages } from "./languages.ts";
import { cutLines, MAX_CHUNK_CHARACTERS } from "./line-chunks.ts";
import { markdownChunks } from "./markdown-chunks.ts";

/** Larger files are generated, or data; a grammar would take long and find nothing that people wrote. */
const MAX_PARSED = 1_000_000;
/** Lines so long on average are minified. */
const MINIFIED_LINE = 400;
/** Of a file of data, the start shows what it is. */
const MAX_PLAIN_CHUNKS = 500;

/** Cuts a file into chunks. Never throws, whatever is in it. */
export async function chunkFile(
  { path, text }: { path: string; text: string },
  grammars: GrammarSet,
): Promise<FileChunks> {
  const language = languageOfPath(path);
  const lines = text.split("\n");
  if (language === "markdown") return { language, header: "", chunks: markdownChunks(lines), isFallback: false };
  const hasGrammar = languages[language]?.grammar !== undefined;
  const isParsed = hasGrammar && text.length <= MAX_PARSED && text.length < MINIFIED_LINE * lines.length;
  const code = isParsed ? await codeChunks(language, text, lines, grammars).catch(() => undefined) : undefined;
  if (code) return { language, ...code, isFallback: false };
  return {
    language,
    header: "",
    chunks: plainChunks(lines, language === "text" ? "text" : "code"),
    isFallback: hasGrammar,
  };
}

function plainChunks(lines: readonly string[], kind: Chunk["kind"]): Chunk[] {
  return cutLines(lines, { startRow: 0, endRow: lines.length - 1 })
    .slice(0, MAX_PLAIN_CHUNKS)
    .flatMap(({ startRow, endRow }) => {
      const text = lines
        .slice(startRow, endRow + 1)
        .join("\n")
        .slice(0, MAX_CHUNK_CHARACTERS);
      if (text.trim() === "") return [];
      return [{ kind, startLine: startRow + 1, endLine: endRow + 1, names: [], signatures: [], comment: "", text }];
    });
}
