import { lenientName, unprefixed } from "../../context/lenient-name.ts";
import type { ToolAlias } from "../../ports/tool.ts";

type WithName = { readonly name: string };

/** `isGuess`: the name is not ours but close enough to one. */
export type ToolMatch<T extends WithName> = { tool: T; alias?: ToolAlias; isGuess?: true };

/**
 * Finds tools by whatever name a model or the user writes: the exact name, then an alias, then the name without a
 * `functions.` prefix, then without case and separators.
 */
export function toolFinder<T extends WithName>(
  tools: Iterable<T>,
  aliases: Iterable<ToolAlias>,
): (name: string) => ToolMatch<T> | undefined {
  const byName = new Map([...tools].map((tool) => [tool.name, tool]));
  const byAlias = new Map([...aliases].filter((alias) => byName.has(alias.tool)).map((alias) => [alias.name, alias]));
  const exact = (name: string): ToolMatch<T> | undefined => {
    const tool = byName.get(name);
    const alias = byAlias.get(name);
    // An alias may have the name of a tool of ours: it accepts other argument forms and leaves ours unchanged.
    if (tool && alias?.tool !== name) return { tool };
    const meant = alias && byName.get(alias.tool);
    return alias && meant ? { tool: meant, alias } : undefined;
  };
  // An exact name takes precedence.
  const lenient = new Map([...byAlias.keys(), ...byName.keys()].map((name) => [lenientName(name), name]));
  return (name) => {
    const wanted = name.trim();
    const found = exact(wanted);
    if (found) return found;
    const guess = exact(unprefixed(wanted)) ?? exact(lenient.get(lenientName(wanted)) ?? "");
    return guess && { ...guess, isGuess: true };
  };
}
