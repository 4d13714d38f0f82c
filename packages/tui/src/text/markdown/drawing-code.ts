import type { HLJSApi, LanguageFn } from "highlight.js";
import type { Token } from "marked";

export type Lexer = (source: string) => Token[];
type LanguageModule = Promise<{ default: LanguageFn }>;

/** One row per grammar: the name of its language, other names used after ```, and its module. */
const languages: readonly { name: string; aliases: readonly string[]; load: () => LanguageModule }[] = [
  {
    name: "typescript",
    aliases: ["ts", "tsx", "mts", "cts"],
    load: () => import("highlight.js/lib/languages/typescript"),
  },
  {
    name: "javascript",
    aliases: ["js", "jsx", "mjs", "cjs", "node"],
    load: () => import("highlight.js/lib/languages/javascript"),
  },
  { name: "json", aliases: ["jsonc", "json5", "jsonl"], load: () => import("highlight.js/lib/languages/json") },
  { name: "python", aliases: ["py", "python3"], load: () => import("highlight.js/lib/languages/python") },
  { name: "bash", aliases: ["sh", "shell", "zsh", "console"], load: () => import("highlight.js/lib/languages/bash") },
  { name: "go", aliases: ["golang"], load: () => import("highlight.js/lib/languages/go") },
  { name: "rust", aliases: ["rs"], load: () => import("highlight.js/lib/languages/rust") },
  { name: "java", aliases: [], load: () => import("highlight.js/lib/languages/java") },
  { name: "c", aliases: ["h"], load: () => import("highlight.js/lib/languages/c") },
  { name: "cpp", aliases: ["c++", "cc", "cxx", "hpp"], load: () => import("highlight.js/lib/languages/cpp") },
  { name: "css", aliases: [], load: () => import("highlight.js/lib/languages/css") },
  { name: "xml", aliases: ["html", "xhtml", "svg"], load: () => import("highlight.js/lib/languages/xml") },
  { name: "yaml", aliases: ["yml"], load: () => import("highlight.js/lib/languages/yaml") },
  { name: "sql", aliases: ["postgres", "mysql", "sqlite"], load: () => import("highlight.js/lib/languages/sql") },
  { name: "diff", aliases: ["patch"], load: () => import("highlight.js/lib/languages/diff") },
  { name: "markdown", aliases: ["md"], load: () => import("highlight.js/lib/languages/markdown") },
  { name: "ruby", aliases: ["rb"], load: () => import("highlight.js/lib/languages/ruby") },
  { name: "php", aliases: [], load: () => import("highlight.js/lib/languages/php") },
];

/**
 * Code that draws Markdown, loaded on first use; until then text is drawn plain. Belongs to one transcript. If loading
 * fails, only the appearance suffers.
 */
export class DrawingCode {
  readonly #onLoaded: () => void;
  readonly #loading = new Map<string, Promise<void>>();
  readonly #grammars = new Set<string>();
  #lexer: Lexer | undefined;
  #highlighter: HLJSApi | undefined;
  /** Incremented with each loaded piece: rows made before may look better now. */
  generation = 0;

  constructor(onLoaded: () => void = () => undefined) {
    this.#onLoaded = onLoaded;
  }

  get lexer(): Lexer | undefined {
    this.#load("marked", async () => {
      const [{ Marked }, { markdownExtensions }] = await Promise.all([import("marked"), import("./extensions.ts")]);
      const marked = new Marked(markdownExtensions);
      this.#lexer = (source) => marked.lexer(source);
    });
    return this.#lexer;
  }

  /** The highlighter once it knows the language, with the language's own name. */
  grammar(written: string): { highlighter: HLJSApi; language: string } | undefined {
    const language = languages.find(({ name, aliases }) => name === written || aliases.includes(written));
    if (!language) return undefined;
    const { name, load } = language;
    this.#load(name, async () => {
      const [core, { default: grammar }] = await Promise.all([import("highlight.js/lib/core"), load()]);
      core.default.registerLanguage(name, grammar);
      this.#highlighter = core.default;
      this.#grammars.add(name);
    });
    return this.#highlighter && this.#grammars.has(name)
      ? { highlighter: this.#highlighter, language: name }
      : undefined;
  }

  /** Resolves when everything that was requested is loaded. */
  async ready(): Promise<void> {
    await Promise.all(this.#loading.values());
  }

  #load(name: string, load: () => Promise<void>): void {
    if (this.#loading.has(name)) return;
    const loaded = (): void => {
      this.generation += 1;
      this.#onLoaded();
    };
    this.#loading.set(
      name,
      load().then(loaded, () => undefined),
    );
  }
}
