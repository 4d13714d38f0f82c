import { isSecret } from "../../places/secret-files.ts";
import { withoutGitOptions } from "./words.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Flags that make git's lists of commits and changes show file contents. */
const patches = words(
  "-p -u -U -c -m -L --cc --patch --unified --patch-with-stat --patch-with-raw --binary --check --word-diff --color-words --diff-merges --remerge-diff --dd",
);
/** Flags that limit a command's output to file names or the size of changes. */
const summaries = words(
  "-s --no-patch --stat --numstat --shortstat --dirstat --summary --compact-summary --name-only --name-status --raw",
);
/** Commands that show contents only with such a flag, and commands that do so unless a flag selects something else. */
const listing = /^(?:log|diff-tree|diff-index|diff-files|whatchanged|reflog|stash list)$/;
const patching = /^(?:show|diff|stash show)$/;

/** True if the command shows file contents, judging by its flags, which are all known. */
export function showsContents(name: string, flags: readonly string[]): boolean {
  const otherFlags = flags.filter((flag) => !flag.endsWith("-untracked"));
  if (name === "stash show" && otherFlags.length === 0) return false;
  if (otherFlags.some(isPatch)) return listing.test(name) || patching.test(name);
  return patching.test(name) && !otherFlags.some((flag) => summaries.has(flag));
}

/** Git also accepts an unambiguous abbreviation. */
function isPatch(flag: string): boolean {
  if (patches.has(flag)) return true;
  return /^--../.test(flag) && flag !== "--color" && [...patches].some((name) => name.startsWith(flag));
}

/** Commands that print files, or pack them. */
const printing = words(
  "archive bundle cat-file fast-export format-patch range-diff unpack-file merge-file merge-tree merge-one-file difftool request-pull send-email imap-send upload-archive upload-pack pack-objects grep",
);
/** Commands that show the targets of references, in full with `%(raw)`. */
const formatting = words("for-each-ref tag branch");
/** Commands that show changes to choose from. */
const choosing = words("add checkout reset restore stash");

/**
 * True if a git command with these words may print files that they do not name, so that secrets may be among them. For
 * commands that run as written: those that run unasked skip secrets.
 */
export function mayPrintFiles(args: readonly string[]): boolean {
  const [command = "", ...rest] = withoutGitOptions(args);
  if (namesOnly(rest)) return false;
  const flags = rest.flatMap(flagNames);
  const has = (...names: string[]) => names.some((name) => flags.includes(name));
  if (choosing.has(command) && has("-p", "--patch", "-i", "--interactive")) return true;
  if (command === "cat-file") return !has("-t", "-s", "-e");
  if (command === "status" || (command === "commit" && has("--dry-run"))) return has("-v", "--verbose");
  if (command === "config") return has("--blob");
  if (command === "rerere") return rest.includes("diff");
  if (has("--show-current-patch")) return true;
  if (formatting.has(command)) return rest.some((word) => /%\(\*?raw/.test(word));
  if (printing.has(command)) return true;
  const next = command === "stash" ? rest.find((word) => !word.startsWith("-")) : undefined;
  return showsContents(next === undefined ? command : `${command} ${next}`, flags);
}

/** Commands that change the repository and its work tree by commit names, and open no other file. */
const changing = words(
  "push fetch pull remote branch tag switch checkout merge rebase reset commit clean rm init clone config cherry-pick revert worktree gc status restore stash",
);

const readingFile = /^(?:-[a-zA-Z]*[Ft]|--(?:file|template|pathspec-from-file)(?:=.*)?)$/;
const readingConfig = /^(?:-[a-zA-Z]*f|--f|--bl)/;

/** True if a git command with these words opens none of the files that they name. */
export function changesOnly(args: readonly string[]): boolean {
  const [command = "", ...rest] = withoutGitOptions(args);
  const reading = command === "config" ? readingConfig : readingFile;
  return (
    changing.has(command) && !copiesFiles(args) && !rest.some((word) => reading.test(word)) && !mayPrintFiles(args)
  );
}

/**
 * True if a git command copies all files of the repository elsewhere, under names that no rule for this place covers.
 */
export function copiesFiles(args: readonly string[]): boolean {
  const [command = "", ...rest] = withoutGitOptions(args);
  if (command === "worktree" || command === "submodule") return rest.includes("add");
  if (command === "checkout-index") return rest.some((word) => word.startsWith("--prefix"));
  return command === "clone" && !rest.some((word) => fetched.test(word));
}

/** The source of a fetch begins with a host or a scheme. */
const fetched = /^(?!file:)[a-z][a-z+]*:\/\/|^[\w.-]+(?:@[\w.-]+)?:(?!\/\/)/i;

/** `-pU3` as its letters, `--unified=3` as its name. */
function flagNames(word: string): string[] {
  if (word.startsWith("--")) return [word.split("=")[0] ?? ""];
  const [letters = ""] = /^-[a-zA-Z]+/.exec(word) ?? [];
  return [...letters.slice(1)].map((letter) => `-${letter}`);
}

/** True if only files that, by their names, hold no secrets follow `--`. */
function namesOnly(rest: readonly string[]): boolean {
  const mark = rest.indexOf("--");
  const paths = mark < 0 ? [] : rest.slice(mark + 1);
  return paths.length > 0 && paths.every((path) => /^[^:*?[\\]*\.[a-zA-Z]\w{0,7}$/.test(path) && !isSecret(path));
}
