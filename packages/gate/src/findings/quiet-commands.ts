import { programOf, readByTable } from "../programs/programs.ts";
import { splitWords } from "../shell/command-text.ts";

const noisyFlags = /^-(?:delete|exec|execdir|ok|okdir|fprint.*|fls|o.*|-output.*|-pre.*|-compress-program.*|s|-set.*)$/;

/** Commands that read or wait and change nothing. Only used to be less strict about what is denied or asked anyway. */
export function isQuietCommand(command: string): boolean {
  if (/[<>$`\n\r(){}]/.test(command) || /(?:^|[^&])&(?:[^&]|$)/.test(command)) return false;
  return command.split(/&&|\|\||;|\|/).every((part) => isQuietStatement(splitWords(part)));
}

/**
 * A single command, in words; what surrounds it may still do anything. The table must know its arguments, because a
 * flag that writes could be combined with others or abbreviated.
 */
export function isQuietStatement([program = "", ...rest]: readonly string[]): boolean {
  const { quiet } = programOf(program);
  if (quiet === undefined || rest.some((word) => noisyFlags.test(word)) || (quiet !== true && !quiet(rest)))
    return false;
  const reading = readByTable({ program, args: rest.map((text) => ({ text, glob: false })), env: [], redirects: [] });
  return reading !== undefined && !("reason" in reading);
}
