import { resolvePath } from "../places/path-place.ts";
import { isProtected, isSystemPath } from "../places/protected-places.ts";
import { behindKeywords, programName } from "../shell/command-text.ts";
import { type Place, pathOf, rootOf } from "./found-command.ts";
import { isQuietStatement } from "./quiet-commands.ts";

/** Is the word, as a path, protected: as it is written, or with home folders put in? */
export function isProtectedWord(word: string, cwd: string, place: Place): boolean {
  return [resolvePath(cwd, word), pathOf(word, cwd, place)].some((path) => isProtected(path, rootOf(path, place)));
}

/**
 * Does a command that may change things name a protected file anywhere in its arguments? System folders are left to the
 * programs that are known to write, because too many others only read there. Other file names given to git are contents
 * of the repository.
 */
export function namesProtected(statement: readonly string[], cwd: string, place: Place): boolean {
  const words = behindKeywords(statement);
  if (isQuietStatement(words)) return false;
  const program = programName(words[0] ?? "");
  return words.some((word, index) => {
    if (isLeftOut(word, words[index - 1] ?? "", program)) return false;
    return spellings(word)
      .flatMap((each) => [resolvePath(cwd, each), pathOf(each, cwd, place)])
      .some(
        (path) =>
          isProtected(path, rootOf(path, place)) && !isSystemPath(path) && (program !== "git" || runsThings.test(path)),
      );
  });
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
