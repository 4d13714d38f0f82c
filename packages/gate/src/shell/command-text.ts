// A first reading of shell commands, by text. It only ever makes the gate stricter, or lets calls wait for each other;
// what it does not understand is asked.

/** One command with plain words: nothing that chains, redirects, substitutes or expands. */
export function isSimpleCommand(command: string): boolean {
  return !/[;&|<>$`\n\r(){}]/.test(command);
}

/** The words of one command, quotes and backslashes taken away. */
export function splitWords(command: string): string[] {
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
    .map(splitWords)
    .filter((words) => words.length > 0);
}

/** The same, also parted at `$` and braces, with the alternatives of `{a,b}` as words. */
export function fragmentsOf(command: string): string[][] {
  return readingsOf(command)
    .map((text) => text.replace(/\{[^{}\s]*,[^{}]*\}/g, (braces) => ` ${braces.slice(1, -1).replaceAll(",", " ")} `))
    .flatMap((text) => text.split(/[;&|<>$`\n\r(){}]/))
    .map(splitWords)
    .filter((words) => words.length > 0);
}

/** Keywords that may stand right before a command. */
export const keywords: ReadonlySet<string> = new Set("if while until elif then do else ! time coproc".split(" "));
/** Words that are copied for one command line at most: more would cost time that grows with its square. */
const MAX_COPIED = 200_000;
const MIN_RUN = 40;

/** The words from one on; of very many, only the next ones. */
export function runFrom<W>(words: readonly W[], start: number): W[] {
  return words.slice(start, start + Math.max(MIN_RUN, Math.floor(MAX_COPIED / words.length)));
}

/** The words behind `if`, `then`, `!` and the like. */
export function behindKeywords(words: readonly string[]): string[] {
  const start = words.findIndex((word) => !keywords.has(word));
  return start < 0 ? [] : words.slice(start);
}

/** Programs by their own name, wherever they lie. */
export function programName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}
