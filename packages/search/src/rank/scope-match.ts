import { wordsOf } from "../words/words.ts";

/** Has all words of a scope somewhere in its path, but no folder or file of this name. */
const PARTLY = 0.5;

/** How well a path is within one of the named parts of a project, from 0 to 1: `client`, `discovery/kubernetes`. */
export function scopeMatch(path: string, scopes: readonly string[]): number {
  if (scopes.length === 0) return 0;
  const segments = new Set(path.toLowerCase().split("/").flatMap(spellings));
  const isIn = (scope: string) => scope.split("/").every((part) => spellings(part).some((name) => segments.has(name)));
  if (scopes.some(isIn)) return 1;
  const words = new Set(wordsOf(path));
  const has = (scope: string) => {
    const parts = wordsOf(scope);
    return parts.length > 0 && parts.every((part) => words.has(part));
  };
  return scopes.some(has) ? PARTLY : 0;
}

/** A name as it is, without its extension, and without separators. */
function spellings(segment: string): string[] {
  const stem = segment.replace(/(?<=.)\.[^.]+$/, "");
  return [segment, stem, stem.replace(/[-_.]/g, "")];
}
