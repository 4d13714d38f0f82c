import { programName } from "../findings/found-command.ts";
import { withoutGitOptions } from "../programs/git-words.ts";

// A first reading of shell commands, by text. It only ever makes the gate stricter, or lets calls wait for each other;
// what it does not understand is asked.

/** One command with plain words: nothing that chains, redirects, substitutes or expands. */
export function isSimpleCommand(command: string): boolean {
  return !/[;&|<>$`\n\r(){}]/.test(command);
}

/** The words of one command, quotes and backslashes taken away. */
export function wordsOf(command: string): string[] {
  return command
    .replace(/["'\\]/g, "")
    .split(/\s+/)
    .filter(Boolean);
}

/** Without the backslashes that go on in the next line; an escaped backslash before a line's end is none of them. */
export function joinedLines(command: string): string {
  return command.replace(/\\(\\|\n)/g, (pair, second) => (second === "\n" ? "" : pair));
}

/** The texts a shell may read: in a comment a backslash does not join lines, so both readings count. */
function readingsOf(command: string): string[] {
  const joined = joinedLines(command);
  return joined === command ? [command] : [joined, command];
}

/** Commands as far as `;`, `&`, `|`, redirection, brackets and ends of lines part them; expansions stay in their words. */
export function statementsOf(command: string): string[][] {
  return readingsOf(command)
    .flatMap((text) => text.split(/[;&|<>`\n\r()]/))
    .map(wordsOf)
    .filter((words) => words.length > 0);
}

/** The same, also parted at `$` and braces, with the alternatives of `{a,b}` as words. */
function fragmentsOf(command: string): string[][] {
  return readingsOf(command)
    .map((text) => text.replace(/\{[^{}\s]*,[^{}]*\}/g, (braces) => ` ${braces.slice(1, -1).replaceAll(",", " ")} `))
    .flatMap((text) => text.split(/[;&|<>$`\n\r(){}]/))
    .map(wordsOf)
    .filter((words) => words.length > 0);
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** What a command may stand behind, alone. */
const keywords = set("if while until elif then do else ! time coproc");
/** Programs that start another one; it may stand anywhere among their options. */
const wrappers = set(
  "sudo doas su pkexec runuser env command builtin exec nohup time nice ionice stdbuf setsid unbuffer xargs parallel timeout eval trap bash sh zsh dash ksh fish busybox flock strace ltrace watch chroot unshare nsenter chrt taskset setarch systemd-run script",
);

/**
 * Every command that the text may run, as words: split at all that chains or substitutes, then also without keywords,
 * variable assignments, and what starts other programs, such as `sudo -u me`, `timeout 5`, `find -exec` or `bash -c`.
 */
export function commandViews(command: string): string[][] {
  return wordRuns(command, false);
}

/** The same; `anywhere` = from every word on, whatever stands before it. */
export function wordRuns(command: string, anywhere: boolean): string[][] {
  return fragmentsOf(command).flatMap((words) => {
    const starts = anywhere ? words.map((_, index) => index) : startsOf(words);
    return starts.flatMap((start) => readingsFrom(runFrom(words, start)));
  });
}

/** Words that are copied for one command line at most: more would cost time that grows with its square. */
const MAX_COPIED = 200_000;
const LEAST_RUN = 40;

/** The words from one on; of very many, only the next ones. */
export function runFrom<W>(words: readonly W[], start: number): W[] {
  return words.slice(start, start + Math.max(LEAST_RUN, Math.floor(MAX_COPIED / words.length)));
}

/** Where in the words of a fragment a command may begin. */
function startsOf(words: readonly string[]): number[] {
  const all = words.map((_, index) => index);
  const first = words.findIndex((word) => !keywords.has(word) && !/^\w+\+?=/.test(word));
  if (first < 0) return all;
  const program = programName(words[first] ?? "");
  if (wrappers.has(program)) return all;
  const mayStart = (index: number) => program === "find" && /^-(?:exec|ok)/.test(words[index - 1] ?? "");
  return all.filter((index) => index <= first || mayStart(index));
}

/** The command by its program's own name; of git also without the options before its subcommand. */
export function readingsFrom(words: readonly string[]): string[][] {
  const [first = "", ...rest] = words;
  const plain = [programName(first), ...rest];
  if (plain[0] !== "git" || !rest[0]?.startsWith("-")) return [plain];
  return [plain, ["git", ...withoutGitOptions(rest)]];
}

const quietPrograms = set(
  "ls cat head tail wc pwd echo printf true false sleep date which type uname whoami id grep rg find tree stat file du df diff cmp sort cut tr basename dirname realpath readlink sha256sum md5sum jq test [",
);
const quietGit = set("status log diff show rev-parse ls-files blame describe shortlog");
const noisyFlags = /^-(?:delete|exec|execdir|ok|okdir|fprint.*|fls|o.*|-output.*|-pre.*|-compress-program.*|s|-set.*)$/;

/** Commands that look or wait and change nothing; used for what may run side by side, never for permission. */
export function isQuietCommand(command: string): boolean {
  if (/[<>$`\n\r(){}]/.test(command) || /(?:^|[^&])&(?:[^&]|$)/.test(command)) return false;
  return command.split(/&&|\|\||;|\|/).every((part) => isQuietStatement(wordsOf(part)));
}

/** One command of words; what it is part of may still be anything. */
export function isQuietStatement(words: readonly string[]): boolean {
  const [program = "", ...rest] = words;
  if (rest.some((word) => noisyFlags.test(word))) return false;
  return program === "git" ? quietGit.has(rest[0] ?? "") : quietPrograms.has(program);
}

/** The words behind `if`, `then`, `!` and the like. */
export function behindKeywords(words: readonly string[]): string[] {
  const start = words.findIndex((word) => !keywords.has(word));
  return start < 0 ? [] : words.slice(start);
}
