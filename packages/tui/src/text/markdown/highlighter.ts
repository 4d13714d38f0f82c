import type { HLJSApi, LanguageFn } from "highlight.js";
import type { Role } from "../../theme.ts";
import { Lazy } from "../lazy.ts";
import { PLAIN, type Span, type Style, style } from "../style.ts";

type LanguageModule = Promise<{ default: LanguageFn }>;

/** A language a row: its own name, the names that people write behind ```, and its grammar, loaded when first met. */
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

const core = new Lazy<HLJSApi>(async () => (await import("highlight.js/lib/core")).default);
const grammars = new Map<string, Lazy<HLJSApi>>();

for (const { name, aliases, load } of languages) {
  const grammar = new Lazy(async () => {
    const [highlighter, { default: define }] = await Promise.all([core.ready(), load()]);
    if (!highlighter) throw new Error("the highlighter could not be loaded");
    highlighter.registerLanguage(name, define);
    return highlighter;
  });
  for (const each of [name, ...aliases]) grammars.set(each, grammar);
}

const nameOf = new Map(
  languages.flatMap(({ name, aliases }) => [name, ...aliases].map((each) => [each, name] as const)),
);

const roleOfScope: Readonly<Record<string, Role>> = {
  keyword: "syntaxKeyword",
  "selector-tag": "syntaxKeyword",
  doctag: "syntaxKeyword",
  name: "syntaxKeyword",
  string: "syntaxString",
  regexp: "syntaxString",
  "meta-string": "syntaxString",
  link: "syntaxString",
  number: "syntaxNumber",
  literal: "syntaxNumber",
  symbol: "syntaxNumber",
  comment: "syntaxComment",
  quote: "syntaxComment",
  meta: "syntaxComment",
  title: "syntaxFunction",
  section: "syntaxFunction",
  type: "syntaxType",
  built_in: "syntaxType",
  class: "syntaxType",
  attr: "syntaxVariable",
  attribute: "syntaxVariable",
  variable: "syntaxVariable",
  property: "syntaxVariable",
  addition: "added",
  deletion: "removed",
};

function styleOfScope(scope: string): Style | undefined {
  const role = roleOfScope[scope.split(/[ .]/)[0] ?? ""];
  return role && style({ fg: role });
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
/** The highlighter answers in HTML, and only these forms occur in it. */
const MARKUP = /<span class="([^"]*)">|<\/span>|&(amp|lt|gt|quot|#x27);|([^<&]+)/g;

function spansOf(html: string): Span[] {
  const open: Style[] = [];
  const spans: { text: string; style: Style }[] = [];
  for (const [found, scope, entity, plain] of html.matchAll(MARKUP)) {
    const current = open[open.length - 1] ?? PLAIN;
    if (scope !== undefined) open.push(styleOfScope(scope.replaceAll("hljs-", "")) ?? current);
    else if (found === "</span>") open.pop();
    else {
      const text = entity === undefined ? (plain ?? "") : (entities[entity] ?? "");
      const last = spans[spans.length - 1];
      if (last?.style === current) last.text += text;
      else spans.push({ text, style: current });
    }
  }
  return spans;
}

/** Longer code is drawn plain: a frame must not wait for it. */
const MAX_CODE = 64 * 1024;

function linesOf(spans: readonly Span[]): Span[][] {
  const lines: Span[][] = [[]];
  for (const { text, style: look } of spans) {
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines[lines.length - 1]?.push({ text: part, style: look });
    }
  }
  return lines;
}

export function plainLines(code: string): Span[][] {
  return linesOf([{ text: code, style: PLAIN }]);
}

/** Lines of code with their colours; plain where the language is unknown or its grammar is not there yet. */
export function highlight(code: string, language: string): Span[][] {
  const known = language.toLowerCase();
  const highlighter = code.length > MAX_CODE ? undefined : grammars.get(known)?.get();
  if (!highlighter) return plainLines(code);
  try {
    return linesOf(
      spansOf(highlighter.highlight(code, { language: nameOf.get(known) ?? known, ignoreIllegals: true }).value),
    );
  } catch {
    // A grammar may fail on odd code; the text is then drawn plain.
    return plainLines(code);
  }
}

/**
 * Resolves when the grammar is loaded, or cannot be. Tests wait for it.
 * @internal
 */
export async function loadLanguage(language: string): Promise<void> {
  await grammars.get(language.toLowerCase())?.ready();
}
