import { programOf } from "../programs/programs.ts";

/** How many words, including the program, say what a command does: two for `npm test`, three for `git stash pop`. */
export function nameLength([program = "", subcommand]: readonly string[]): number {
  const { nameWords = 1, longer } = programOf(program);
  return subcommand !== undefined && longer?.split(" ").includes(subcommand) ? 3 : nameWords;
}

/** True if the program has subcommands, so that its arguments are not commands for other programs. */
export function hasSubcommands(program: string): boolean {
  return nameLength([program]) > 1;
}
