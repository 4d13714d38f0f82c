import { readSlashLine } from "@harness/client/commands";
import type { CompletionItem } from "../state/composer.ts";
import { BEGINS, fuzzyRank, WITHIN } from "../text/fuzzy.ts";
import type { KnownCommand } from "./known-command.ts";

/** The data for the menu of commands. `sent`: earlier messages, oldest first. */
export type CommandMenu = { readonly commands: readonly KnownCommand[]; readonly sent: readonly string[] };

/**
 * The commands that the typed text may mean: an exact name first, because Enter must never run a different command;
 * then by match quality, and then by frequency of use.
 */
export function commandItems(typed: string, { commands, sent }: CommandMenu): CompletionItem[] {
  const uses = usesOf(sent);
  return commands
    .flatMap((command, order) => {
      const [best] = command.names
        .flatMap((name, at) => {
          const rank = fuzzyRank(name, typed);
          // An alias is offered when it is the name being typed.
          return rank === undefined || (typed === "" && at > 0) ? [] : [{ name, rank, isGuess: isGuess(rank, at) }];
        })
        .sort((a, b) => a.rank - b.rank);
      const used = command.names.reduce((sum, name) => sum + (uses.get(name.toLowerCase()) ?? 0), 0);
      return best ? [{ ...best, used, order, command }] : [];
    })
    .sort((a, b) => a.rank - b.rank || b.used - a.used || a.order - b.order)
    .map(({ name, isGuess, command }) => itemOf(name, command, isGuess));
}

/** For an alias, a match at its end is a guess too: `tools` does not mean `allowed-tools`. */
function isGuess(rank: number, at: number): boolean {
  return rank >= WITHIN || (at > 0 && rank > BEGINS);
}

function itemOf(name: string, { argumentHint, description, origin }: KnownCommand, isGuess: boolean): CompletionItem {
  return {
    label: `/${name}`,
    ...(argumentHint ? { follows: argumentHint } : {}),
    detail: (origin ? `${origin}: ${description}` : description).replace(/\.$/, ""),
    insert: argumentHint ? `/${name} ` : `/${name}`,
    // Arguments in brackets are optional. A guessed name is shown before it is run.
    ...(isGuess || (argumentHint && !argumentHint.startsWith("[")) ? { needsMore: true } : {}),
  };
}

function usesOf(sent: readonly string[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const text of sent) {
    const name = text.startsWith("/") ? readSlashLine(text.trim())?.name : undefined;
    if (name !== undefined) uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  return uses;
}

/** The words in a command's hint (`[last N | clear]`) that may follow it; a hint without alternatives is prose. */
export function hintItems({ argumentHint = "" }: KnownCommand): CompletionItem[] {
  if (!argumentHint.includes("|")) return [];
  const words = argumentHint.match(/(?<![\w-])[a-z][a-z-]+(?![\w-])/g) ?? [];
  return [...new Set(words)].map((word) => ({ label: word, detail: "", insert: word }));
}

/** True if a command takes file names. */
export function takesFiles({ argumentHint = "" }: KnownCommand): boolean {
  return /\bFILE\b/.test(argumentHint);
}
