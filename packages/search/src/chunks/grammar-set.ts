import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Language, Parser, type Tree } from "web-tree-sitter";
import { languages } from "./languages.ts";
import { loadParser } from "./parser-engine.ts";

/** People's files take milliseconds; a hostile one must not hold up the rest. */
const DEADLINE_MS = 2_000;
const require = createRequire(import.meta.url);

/** The grammars, each loaded when a file of its language is met. */
export class GrammarSet {
  #engine: Promise<void> | undefined;
  readonly #parsers = new Map<string, Promise<Parser | undefined>>();

  /** Undefined if there is no grammar, or it takes too long. The caller deletes the tree. Never throws. */
  async parse(language: string, text: string): Promise<Tree | undefined> {
    const parser = await this.#parserOf(language);
    if (!parser) return undefined;
    const until = performance.now() + DEADLINE_MS;
    try {
      const tree = parser.parse(text, null, { progressCallback: () => performance.now() > until });
      // Otherwise the next text would be read as the rest of this one.
      if (!tree) parser.reset();
      return tree ?? undefined;
    } catch {
      parser.reset();
      return undefined;
    }
  }

  #parserOf(language: string): Promise<Parser | undefined> {
    const known = this.#parsers.get(language);
    if (known !== undefined) return known;
    const loading = this.#load(languages[language]?.grammar).catch(() => undefined);
    this.#parsers.set(language, loading);
    return loading;
  }

  async #load(grammar: string | undefined): Promise<Parser | undefined> {
    if (grammar === undefined) return undefined;
    this.#engine ??= loadParser();
    await this.#engine;
    const parser = new Parser();
    parser.setLanguage(await Language.load(readFileSync(grammarPath(grammar))));
    return parser;
  }
}

function grammarPath(grammar: string): string {
  if (grammar === "bash") return require.resolve("tree-sitter-bash/tree-sitter-bash.wasm");
  const folder = dirname(require.resolve("@repomix/tree-sitter-wasms/package.json"));
  return join(folder, "out", `tree-sitter-${grammar}.wasm`);
}
