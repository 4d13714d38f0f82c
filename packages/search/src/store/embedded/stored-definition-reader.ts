import { wordsOf } from "../../words/words.ts";
import type { DefinedName, DefinitionReader } from "../definition-reader.ts";
import type { DatabaseFile } from "./database-file.ts";
import { StoredPostingTable } from "./stored-posting-table.ts";

/** Kinds of chunks whose names are definitions of code. */
const KINDS = "('function', 'method', 'class', 'type')";

/** The word before what other files can use. */
const visibleBy: Readonly<Record<string, string>> = { typescript: "export", tsx: "export", rust: "pub" };

function isVisible(name: string, text: string, word: string | undefined): boolean {
  if (word === undefined) return true;
  return text.split("\n").some((line) => line.includes(name) && line.split(name)[0]?.includes(word));
}

/** The definitions in one state of an index. Throws SQLite's errors. */
export class StoredDefinitionReader implements DefinitionReader {
  readonly #db: DatabaseFile;
  readonly #postings: StoredPostingTable;

  constructor(db: DatabaseFile) {
    this.#db = db;
    this.#postings = new StoredPostingTable(db);
  }

  definingFiles(): { id: number; path: string }[] {
    return this.#db
      .run("SELECT id, path FROM files WHERE chunks > 0 AND language NOT IN ('', 'markdown', 'text') ORDER BY path")
      .all()
      .map(({ id, path }) => ({ id: Number(id), path: String(path) }));
  }

  namesOf(file: number): DefinedName[] {
    return this.#db
      .run(`SELECT symbols.name, kind, language, text FROM files JOIN symbols ON symbols.chunk >= first AND symbols.chunk < first + files.chunks
        JOIN chunks ON chunks.id = symbols.chunk AND chunks.kind IN ${KINDS}
        WHERE files.id = ? ORDER BY symbols.id`)
      .all(file)
      .map(({ name, kind, language, text }) => ({
        name: String(name),
        isInner: kind === "method" || !isVisible(String(name), String(text), visibleBy[String(language)]),
      }));
  }

  definerCount(name: string): number {
    const row = this.#db
      .run(`SELECT count(DISTINCT chunks.file) AS files FROM symbols JOIN chunks ON chunks.id = symbols.chunk
        WHERE folded = ? AND name = ?`)
      .get(name.toLowerCase(), name);
    return Number(row?.files ?? 0);
  }

  fileCount(name: string): number {
    const word = wordsOf(name).at(-1);
    const files = new Set<number>();
    for (const { chunks } of word === undefined ? [] : this.#postings.lists(word))
      for (const chunk of chunks) files.add(this.#postings.files[chunk] ?? 0);
    files.delete(0);
    return files.size;
  }
}
