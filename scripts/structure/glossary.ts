import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, type SourceFile } from "./source-files.ts";

/** A word of the page: the file that defines it and the name that it exports there. */
type Noun = { readonly noun: string; readonly file: string; readonly name: string };

export type Glossary = {
  /** Nouns that everybody needs first, and those of single rooms. */
  readonly core: readonly Noun[];
  readonly rooms: readonly Noun[];
  /** Last words that many types share, each with its meaning. */
  readonly shared: readonly string[];
  /** Last words of classes that any programmer knows. */
  readonly technical: readonly string[];
  /** Words that occur in no exported name. */
  readonly banned: ReadonlySet<string>;
  /** Words that are not the whole name of a type. */
  readonly participles: ReadonlySet<string>;
  /** Words that are not the last word of a type's name. */
  readonly endings: ReadonlySet<string>;
};

/** If at least this many types share their last word, it is vocabulary, and is explained on the page. */
const SHARED_BY = 5;

export function readGlossary(page = readFileSync(join(root, "docs/glossary.md"), "utf8")): Glossary {
  const section = (heading: string): string => page.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const nouns = (text: string): Noun[] =>
    [...text.matchAll(/^\| \*\*([^*]+)\*\* \|[^|]*\| `([^`]+)` \| `([^`]+)` \|$/gm)].map(
      ([, noun = "", file = "", name = ""]) => ({ noun, file, name }),
    );
  const words = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
  return {
    core: nouns(section("Core nouns")),
    rooms: nouns(section("Nouns of single rooms")),
    shared: [...section("Shared endings").matchAll(/^\| \*\*([^*]+)\*\* \| [^|]+ \|$/gm)].map(([, word = ""]) => word),
    technical: words(section("Technical nouns")),
    banned: new Set(words(section("Words that no name has"))),
    participles: new Set(words(section("Participles that name no type"))),
    endings: new Set(words(section("Endings that no type has"))),
  };
}

/** Splits a name: `readHTTPLine` → read, http, line; `MAX_LINES` → max, lines. */
export function wordsOf(name: string): string[] {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2");
  return spaced
    .split(/[\s_]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
}

export function undefinedNouns(files: readonly SourceFile[], { core, rooms }: Glossary): string[] {
  return [...core, ...rooms].flatMap(({ noun, file, name }) => {
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

/** A word as on the page: in the singular. */
function singular(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|ss|x)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

/** `last`: the last word in the singular; `written`: as in the name. */
type Ending = {
  readonly path: string;
  readonly name: string;
  readonly kind: string;
  readonly last: string;
  readonly written: string;
};

function endingsOf(files: readonly SourceFile[]): Ending[] {
  return files
    .filter(({ isProduction }) => isProduction)
    .flatMap(({ path, exports }) =>
      exports
        .filter(({ name, kind }) => name !== "" && (kind === "class" || kind === "type"))
        .filter(({ name }, at, all) => all.findIndex((each) => each.name === name) === at)
        .map(({ name, kind }) => {
          const written = wordsOf(name).at(-1) ?? "";
          return { path, name, kind, written, last: singular(written) };
        }),
    );
}

const lastWord = ({ noun }: Noun): string => noun.split(" ").at(-1) ?? "";

/** Every class ends in a noun that is on the page; so does every type whose last word many others share. */
export function unknownEndings(files: readonly SourceFile[], { core, rooms, shared, technical }: Glossary): string[] {
  const explained = new Set([...core.map(lastWord), ...rooms.map(lastWord), ...shared]);
  const known = new Set([...explained, ...technical]);
  const endings = endingsOf(files);
  const classes = endings
    .filter(({ kind, last, written }) => kind === "class" && !known.has(last) && !known.has(written))
    .map(({ path, name }) => `${path}: the class ${name} ends in no noun of docs/glossary.md`);
  const types = [...Map.groupBy(endings, ({ last }) => last)]
    .filter(([last, all]) => all.length >= SHARED_BY && !explained.has(last))
    .map(
      ([last, all]) =>
        `docs/glossary.md does not say what "${last}" means: ${all.length} types end in it, such as ${all[0]?.name}`,
    );
  return [...classes, ...types];
}

/** Each word is on the page once, and for names that exist. */
export function idleWords(files: readonly SourceFile[], { core, rooms, shared, technical }: Glossary): string[] {
  const all = [...[...core, ...rooms].map(({ noun }) => noun), ...shared, ...technical];
  const twice = [...new Set(all.filter((word, at) => all.indexOf(word) !== at))];
  const used = new Set(endingsOf(files).flatMap(({ last, written }) => [last, written]));
  const idle = [...shared, ...technical].filter((word) => !used.has(word));
  return [
    ...twice.map((word) => `docs/glossary.md has the word ${word} twice`),
    ...idle.map((word) => `docs/glossary.md has the word ${word}, and no exported type or class ends in it`),
  ];
}
