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

const wrappers = new Set(
  "sudo doas env command builtin exec nohup time nice ionice stdbuf setsid xargs timeout eval then do else ! bash sh zsh dash ksh busybox".split(
    " ",
  ),
);

/** Programs by their own name, wherever they lie. */
function programName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

/**
 * Every command that the text may run, as words: split at all that chains or substitutes, then also without variable
 * assignments and without wrappers such as `sudo`, `env A=1`, `timeout 5` or `bash -c`, one by one.
 */
export function commandViews(command: string): string[][] {
  const views: string[][] = [];
  for (const part of command.split(/[;&|<>$`\n\r(){}]/)) {
    let words = wordsOf(part);
    while (words.length > 0) {
      views.push([programName(words[0] ?? ""), ...words.slice(1)]);
      const inner = unwrapped(words);
      if (inner.length === words.length) break;
      words = inner;
    }
  }
  return views;
}

function unwrapped(words: string[]): string[] {
  const first = words[0] ?? "";
  let start = 0;
  if (/^\w+=/.test(first)) start = 1;
  else if (wrappers.has(programName(first))) {
    start = 1;
    while (/^(?:-|\d+[smhd]?$|\w+=)/.test(words[start] ?? "")) start += 1;
  }
  return words.slice(start);
}

const quietPrograms = new Set(
  "ls cat head tail wc pwd echo printf true false sleep date which type uname whoami id grep rg find tree stat file du df diff cmp sort cut tr basename dirname realpath readlink sha256sum md5sum jq test [".split(
    " ",
  ),
);
const quietGit = new Set("status log diff show rev-parse ls-files blame describe shortlog".split(" "));
const noisyFlags = /^-(?:delete|exec|execdir|ok|okdir|fprint.*|fls|o|-output.*|-pre|s|-set.*)$/;

/** Commands that look or wait and change nothing; used for what may run side by side, never for permission. */
export function isQuietCommand(command: string): boolean {
  if (/[<>$`\n\r(){}]/.test(command) || /(?:^|[^&])&(?:[^&]|$)/.test(command)) return false;
  return command.split(/&&|\|\||;|\|/).every((part) => {
    const [program = "", ...rest] = wordsOf(part);
    if (rest.some((word) => noisyFlags.test(word))) return false;
    return program === "git" ? quietGit.has(rest[0] ?? "") : quietPrograms.has(program);
  });
}
