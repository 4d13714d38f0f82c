// A first reading of shell commands, by text. It only makes the gate stricter, or makes calls wait for each other;
// anything that it does not understand is asked about.

/** True for a single command with plain words: nothing that chains, redirects, substitutes or expands. */
export function isSimpleCommand(command: string): boolean {
  return !/[;&|<>$`\n\r(){}]/.test(command);
}

/** The words of one command, without quotes and backslashes. */
export function splitWords(command: string): string[] {
  return command
    .replace(/["'\\]/g, "")
    .split(/\s+/)
    .filter(Boolean);
}

/** Removes backslashes that continue a line on the next; an escaped backslash at the end of a line does not. */
export function joinedLines(command: string): string {
  return command.replace(/\\(\\|\n)/g, (pair, second) => (second === "\n" ? "" : pair));
}

/** The texts that a shell may read: in a comment a backslash does not join lines, so both readings count. */
function readingsOf(command: string): string[] {
  const joined = joinedLines(command);
  return joined === command ? [command] : [joined, command];
}

/** Commands as separated by `;`, `&`, `|`, redirections, brackets and line ends; expansions stay inside words. */
export function statementsOf(command: string): string[][] {
  return readingsOf(command)
    .flatMap((text) => text.split(/[;&|<>`\n\r()]/))
    .map(splitWords)
    .filter((words) => words.length > 0);
}

/** The same, also split at `$` and braces, with the alternatives of `{a,b}` as words. */
export function fragmentsOf(command: string): string[][] {
  return readingsOf(command)
    .map((text) => text.replace(/\{[^{}\s]*,[^{}]*\}/g, (braces) => ` ${braces.slice(1, -1).replaceAll(",", " ")} `))
    .flatMap((text) => text.split(/[;&|<>$`\n\r(){}]/))
    .map(splitWords)
    .filter((words) => words.length > 0);
}

/** Keywords that may directly precede a command. */
export const keywords: ReadonlySet<string> = new Set("if while until elif then do else ! time coproc".split(" "));
/** The most words to copy for one command line; more would take quadratic time. */
const MAX_COPIED = 200_000;
const MIN_RUN = 40;

/** The words from `start` on; of very many, only the next few. */
export function runFrom<W>(words: readonly W[], start: number): W[] {
  return words.slice(start, start + Math.max(MIN_RUN, Math.floor(MAX_COPIED / words.length)));
}

/** The words after `if`, `then`, `!` and the like. */
export function behindKeywords(words: readonly string[]): string[] {
  const start = words.findIndex((word) => !keywords.has(word));
  return start < 0 ? [] : words.slice(start);
}

/** A program's base name, wherever it lies. */
export function programName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}
