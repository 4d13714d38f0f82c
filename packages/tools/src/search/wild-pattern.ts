import { expandBraces } from "../text/brace-expansion.ts";

const MAX_CHARS = 1000;
const MAX_ALTERNATIVES = 1000;

/**
 * The expanded patterns of a glob, or why it is refused, as text that continues "Cannot search: ". A few braces too
 * many would expand to more alternatives than fit into memory.
 */
export function wildPatterns(pattern: string): string[] | { problem: string } {
  if (pattern.trim() === "") return { problem: "the pattern is empty" };
  if (pattern.includes("\0")) return { problem: "the pattern contains a NUL character" };
  if (pattern.length > MAX_CHARS) return { problem: `the pattern is longer than ${MAX_CHARS} characters` };
  if (/[?*+@!]\(/.test(pattern)) {
    return { problem: "forms such as @(a|b) or !(a) are not supported: use {a,b}" };
  }
  const patterns = expandBraces(pattern, MAX_ALTERNATIVES);
  if (!patterns) return { problem: `its braces expand to more than ${MAX_ALTERNATIVES} patterns` };
  return patterns.filter((each) => each !== "");
}

/** True if a pattern without braces may lead out of the searched folder. Escapes are ignored. */
export function mayLeaveFolder(pattern: string): boolean {
  const plain = pattern.replace(/^!/, "").replaceAll("\\", "");
  return plain.startsWith("/") || plain.split("/").includes("..");
}
