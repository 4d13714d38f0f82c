/**
 * No tool accepts deeper values. A model that nests deeper is confused or malicious, and recursive code (JSON, schemas,
 * clients in other languages) would break.
 */
const MAX_DEPTH = 64;

/** True if the value is nested deeper than any tool accepts. Walks without recursion. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const inner = level.filter((each) => typeof each === "object" && each !== null);
    if (inner.length > 0 && depth >= MAX_DEPTH) return true;
    level = inner.flatMap((each) => Object.values(each as object));
  }
  return false;
}

/** The same check for text that may be JSON. */
export function isTooDeepText(text: string): boolean {
  return scanJson(text).deepest > MAX_DEPTH;
}

/** Scans the brackets and strings of JSON without reading its values; works for partial and invalid JSON. */
function scanJson(text: string): { depth: number; deepest: number; inString: boolean } {
  const at = { depth: 0, deepest: 0, inString: false };
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (at.inString) {
      if (char === "\\") index += 1;
      else if (char === '"') at.inString = false;
    } else if (char === '"') at.inString = true;
    else if (char === "{" || char === "[") {
      at.depth += 1;
      at.deepest = Math.max(at.deepest, at.depth);
    } else if (char === "}" || char === "]") at.depth -= 1;
  }
  return at;
}

/** The answer to a model whose arguments were not read. */
export const TOO_DEEP = `The arguments are nested deeper than ${MAX_DEPTH} levels; the call did not run. Send plain arguments.`;
