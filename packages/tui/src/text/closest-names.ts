import { distance } from "fastest-levenshtein";

/** Names close to a mistyped one, best first. */
export function closestNames(typed: string, known: readonly string[]): string[] {
  return known
    .map((name) => ({ name, far: name.startsWith(typed) && typed !== "" ? 0 : distance(typed, name) }))
    .filter(({ name, far }) => far <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
}
