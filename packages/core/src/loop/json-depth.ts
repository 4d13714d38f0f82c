/**
 * No tool takes more; a model that nests deeper is confused or malicious, and what walks over its values (JSON, schemas,
 * clients in other languages) does so by recursion and would break.
 */
const MAX_DEPTH = 64;

/** Is something in the value nested deeper than any tool takes? Walks without recursion and stops at the first. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const inner = level.filter((each) => typeof each === "object" && each !== null);
    if (inner.length > 0 && depth >= MAX_DEPTH) return true;
    level = inner.flatMap((each) => Object.values(each as object));
  }
  return false;
}

/** The same of JSON that is not read yet, or is no JSON. */
export function isTooDeepText(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (inString) {
      if (char === "\\") index += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** For the model whose arguments were not read. */
export const TOO_DEEP = `The arguments are nested deeper than ${MAX_DEPTH} levels; the call did not run. Send plain arguments.`;
