import { behindKeywords, isQuietStatement, withoutGitOptions } from "./command-shape.ts";
import { isProtected, isSystemPath, resolvePath } from "./path-place.ts";

/**
 * Does a statement that may change things name a protected file, wherever in its words? System folders are left to the
 * programs that are known to write: too much only reads there. What git is told of other files it keeps as contents.
 */
export function namesProtected(statement: readonly string[], { cwd, root }: { cwd: string; root: string }): boolean {
  const words = behindKeywords(statement);
  if (isQuietStatement(words)) return false;
  const program = (words[0] ?? "").replace(/^.*\//, "");
  return words.some((word, index) => {
    if (isLeftOut(word, words[index - 1] ?? "", program)) return false;
    return spellings(word)
      .map((each) => resolvePath(cwd, each))
      .some((path) => isProtected(path, root) && !isSystemPath(path) && (program !== "git" || runsThings.test(path)));
  });
}

const runsThings = /\/(?:\.git|\.ssh|\.harness)(?:\/|$)/i;

/** `--output=x`, `of=x` and `-ox` name x as well. */
function spellings(word: string): string[] {
  const value = word.slice(word.indexOf("=") + 1);
  return [word, value, ...(/^-[a-zA-Z]./.test(word) ? [word.slice(2)] : [])];
}

/** What a program is told to pass over. */
function isLeftOut(word: string, before: string, program: string): boolean {
  if (/^--(?:exclude|ignore)[^=]*=/.test(word) || /^--(?:exclude|ignore)[^=]*$/.test(before)) return true;
  return program === "find" && /^-(?:i?name|i?path|i?wholename)$/.test(before);
}

const readsConfig = /^(?:--get.*|--list|-l)$/;
const writesConfig = /^(?:--add|--unset.*|--replace-all|--(?:rename|remove)-section|--edit|-e)$/;

/** From the words behind `git`. One key alone is read; a key and a value are written. */
export function isGitConfigWrite(words: readonly string[]): boolean {
  const [command, ...rest] = withoutGitOptions(words);
  if (command !== "config") return false;
  if (rest.some((word) => writesConfig.test(word))) return true;
  if (rest.some((word) => readsConfig.test(word))) return false;
  const [first = "", ...others] = rest.filter((word) => !word.startsWith("-"));
  if (first === "get" || first === "list") return false;
  return others.length > 0 || !first.includes(".");
}
