import { programOf, readByTable } from "../programs/programs.ts";
import { splitWords } from "../shell/command-text.ts";

const noisyFlags = /^-(?:delete|exec|execdir|ok|okdir|fprint.*|fls|o.*|-output.*|-pre.*|-compress-program.*|s|-set.*)$/;

/** Commands that look or wait and change nothing; only used to be less strict about what is denied or asked anyway. */
export function isQuietCommand(command: string): boolean {
  if (/[<>$`\n\r(){}]/.test(command) || /(?:^|[^&])&(?:[^&]|$)/.test(command)) return false;
  return command.split(/&&|\|\||;|\|/).every((part) => isQuietStatement(splitWords(part)));
}

/**
 * One command of words; what it is part of may still be anything. Its arguments are as the table knows them: a flag that
 * writes could be joined with others, or cut short.
 */
export function isQuietStatement([program = "", ...rest]: readonly string[]): boolean {
  const { quiet } = programOf(program);
  if (quiet === undefined || rest.some((word) => noisyFlags.test(word)) || (quiet !== true && !quiet(rest)))
    return false;
  const reading = readByTable({ program, args: rest.map((text) => ({ text, glob: false })), env: [], redirects: [] });
  return reading !== undefined && !("reason" in reading);
}
