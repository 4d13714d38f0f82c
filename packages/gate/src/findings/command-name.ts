import { programOf } from "../programs/programs.ts";

/** How many words say what a command does, with its program: `npm test` has two, `git stash pop` three. */
export function nameLength([program = "", subcommand]: readonly string[]): number {
  const { nameWords = 1, longer } = programOf(program);
  return subcommand !== undefined && longer?.split(" ").includes(subcommand) ? 3 : nameWords;
}

/** Has the program subcommands, so that its arguments are not commands of other programs? */
export function hasSubcommands(program: string): boolean {
  return nameLength([program]) > 1;
}
