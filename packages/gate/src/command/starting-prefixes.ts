import { programsWith } from "../programs/programs.ts";
import { builtinSafePrefixes } from "./safe-command.ts";

/**
 * Where somebody adds to the built-in list, or takes from it: a list of its own that allows what the whole table does. Each
 * of these programs goes as far as its row does, and no further.
 */
export const startingPrefixes: readonly string[] = [...new Set([...builtinSafePrefixes, ...programsWith("reads")])];
