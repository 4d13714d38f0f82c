import { programsWith } from "../programs/programs.ts";
import { builtinSafePrefixes } from "./safe-command.ts";

/**
 * The starting list for people who add to the built-in prefixes or take some away: it allows what the whole table
 * allows. Each program is still limited to what its row allows.
 */
export function startingPrefixes(): readonly string[] {
  return [...new Set([...builtinSafePrefixes, ...programsWith("reads")])];
}
