import { programOf } from "../programs/programs.ts";

/** How many words say what a command does, with its program: `npm test` has two, `git stash pop` three. */
export function nameLength([program = "", subcommand]: readonly string[]): number {
  const { nameWords = 1, longer } = programOf(program);
  return subcommand !== undefined && longer?.split(" ").includes(subcommand) ? 3 : nameWords;
}

/** Has the program commands of its own, so that its words are none of other programs? */
export function hasSubcommands(program: string): boolean {
  return nameLength([program]) > 1;
}
