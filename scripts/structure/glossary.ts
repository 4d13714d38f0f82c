import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, type SourceFile } from "./source-files.ts";

/** A word of the page: the file that defines it and the name that it exports there. */
type Noun = { readonly noun: string; readonly file: string; readonly name: string };

export type Glossary = {
  readonly nouns: readonly Noun[];
  /** Last words of class names that any programmer knows. */
  readonly technical: ReadonlySet<string>;
  /** Words that stand in no exported name. */
  readonly banned: ReadonlySet<string>;
};

/** Packages whose classes are things of the glossary, or ordinary technical ones. */
const NAMED_BY_GLOSSARY = ["core", "gate", "protocol"];

export function readGlossary(page = readFileSync(join(root, "docs/glossary.md"), "utf8")): Glossary {
  const rows = page.matchAll(/^\| \*\*([^*]+)\*\* \|[^|]*\| `([^`]+)` \| `([^`]+)` \|$/gm);
  const listAfter = (heading: string): Set<string> => {
    const section = page.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
    return new Set([...section.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word));
  };
  return {
    nouns: [...rows].map(([, noun = "", file = "", name = ""]) => ({ noun, file, name })),
    technical: listAfter("Technical nouns"),
    banned: listAfter("Words that no name has"),
  };
}

/** `readHTTPLine` → read, http, line; `MAX_LINES` → max, lines. */
export function wordsOf(name: string): string[] {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2");
  return spaced
    .split(/[\s_]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
}

export function undefinedNouns(files: readonly SourceFile[], { nouns }: Glossary): string[] {
  return nouns.flatMap(({ noun, file, name }) => {
    const defined = files.find(({ path }) => path === file)?.exports.some((exported) => exported.name === name);
    return defined ? [] : [`docs/glossary.md, ${noun}: ${file} exports no ${name}`];
  });
}

export function bannedNames(files: readonly SourceFile[], { banned }: Glossary): string[] {
  const inProduction = files.filter(({ isProduction }) => isProduction);
  return inProduction.flatMap(({ path, exports }) =>
    exports.flatMap(({ name }) =>
      wordsOf(name)
        .filter((word) => banned.has(word))
        .map((word) => `${path}: ${name} has the word ${word} (docs/glossary.md)`),
    ),
  );
}

export function unknownClasses(files: readonly SourceFile[], { nouns, technical }: Glossary): string[] {
  const known = new Set([...nouns.map(({ noun }) => noun.split(" ").at(-1)), ...technical]);
  const isKnown = (name: string): boolean => {
    const last = wordsOf(name).at(-1) ?? "";
    return known.has(last) || known.has(last.replace(/s$/, ""));
  };
  return files
    .filter((file) => file.isProduction && NAMED_BY_GLOSSARY.includes(file.package))
    .flatMap(({ path, exports }) =>
      exports
        .filter(({ name, kind }) => kind === "class" && !isKnown(name))
        .map(({ name }) => `${path}: the class ${name} ends in no noun of docs/glossary.md`),
    );
}
