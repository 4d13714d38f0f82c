import { programOf } from "../programs/programs.ts";
import { wordsOf } from "../shell/command-text.ts";

const noisyFlags = /^-(?:delete|exec|execdir|ok|okdir|fprint.*|fls|o.*|-output.*|-pre.*|-compress-program.*|s|-set.*)$/;

/** Commands that look or wait and change nothing; used for what may run side by side, never for permission. */
export function isQuietCommand(command: string): boolean {
  if (/[<>$`\n\r(){}]/.test(command) || /(?:^|[^&])&(?:[^&]|$)/.test(command)) return false;
  return command.split(/&&|\|\||;|\|/).every((part) => isQuietStatement(wordsOf(part)));
}

/** One command of words; what it is part of may still be anything. */
export function isQuietStatement([program = "", ...rest]: readonly string[]): boolean {
  const { quiet } = programOf(program);
  if (quiet === undefined || rest.some((word) => noisyFlags.test(word))) return false;
  return quiet === true || quiet(rest);
}
