import { resolvePath } from "../places/path-place.ts";
import { isProtected, isSystemPath } from "../places/protected-places.ts";
import { behindKeywords, programName } from "../shell/command-text.ts";
import { type CommandLocation, resolveWord, rootOf } from "./found-command.ts";
import { isQuietStatement } from "./quiet-commands.ts";

/** True if the word is a protected path, either as written or with home folders substituted. */
export function isProtectedWord(word: string, cwd: string, location: CommandLocation): boolean {
  return [resolvePath(cwd, word), resolveWord(word, cwd, location)].some((path) =>
    isProtected(path, rootOf(path, location)),
  );
}

/**
 * True if a command that may change things names a protected file anywhere in its arguments. The script that it runs
 * does not count: a tool or a skill's script lies in a protected folder, and running it writes nothing there. System
 * folders only count for programs known to write, because too many others merely read there. Other file names passed to
 * git are contents of the repository.
 */
export function namesProtected(statement: readonly string[], cwd: string, location: CommandLocation): boolean {
  const words = behindKeywords(statement);
  const program = programName(words[0] ?? "");
  // Commands after `cd` are judged in the new folder.
  if (isQuietStatement(words) || program === "cd") return false;
  const script = scriptAt(words, program);
  return words.some((word, index) => {
    if (index === 0 || index === script) return false;
    if (isLeftOut(word, words[index - 1] ?? "", program)) return false;
    return spellings(word)
      .flatMap((each) => [resolvePath(cwd, each), resolveWord(each, cwd, location)])
      .some(
        (path) =>
          isProtected(path, rootOf(path, location)) &&
          !isSystemPath(path) &&
          (program !== "git" || runsThings.test(path)),
      );
  });
}

/** Words that may precede the script of these programs without changing more than how it runs. */
const scriptRunners: readonly [RegExp, RegExp][] = [
  [/^(?:sh|bash|dash|zsh|ksh)$/, /^(?:-[euxvlo]+|pipefail|--norc|--noprofile)$/],
  [/^(?:python|python3|python3\.\d+|pypy3?)$/, /^-[uBIEsS]+$/],
  [/^(?:node|bun|tsx|ts-node)$/, /^(?:run|--no-warnings|--enable-source-maps)$/],
  [/^deno$/, /^(?:run|-A|-q|--quiet|--no-check|--allow-[a-z]+)$/],
  [/^uv$/, /^(?:run|-q|--quiet|--script|--no-project|python3?)$/],
  [/^(?:npx|pnpx|bunx)$/, /^(?:-y|--yes|tsx|ts-node)$/],
  [/^(?:ruby|perl|php|lua|Rscript|fish)$/, /^-w$/],
  [/^(?:source|\.)$/, /^$/],
];

/**
 * The index of the script passed to an interpreter; undefined: there is none, or its options may mean something else.
 */
function scriptAt(words: readonly string[], program: string): number | undefined {
  const options = scriptRunners.find(([name]) => name.test(program))?.[1];
  if (!options) return undefined;
  const at = words.findIndex((word, index) => index > 0 && !options.test(word));
  return at > 0 && !words[at]?.startsWith("-") ? at : undefined;
}

const runsThings = /\/(?:\.git|\.ssh|\.harness)(?:\/|$)/i;

/** `--output=x`, `of=x` and `-ox` name x as well. */
function spellings(word: string): string[] {
  const value = word.slice(word.indexOf("=") + 1);
  return [word, value, ...(/^-[a-zA-Z]./.test(word) ? [word.slice(2)] : [])];
}

/** Names that the program is asked to skip. */
function isLeftOut(word: string, before: string, program: string): boolean {
  if (/^--(?:exclude|ignore)[^=]*=/.test(word) || /^--(?:exclude|ignore)[^=]*$/.test(before)) return true;
  return program === "find" && /^-(?:i?name|i?path|i?wholename)$/.test(before);
}
