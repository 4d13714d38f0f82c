import { wordsOf } from "../shell/command-text.ts";

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

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
