import { type PositionSet, WildcardPattern } from "@harness/gate";
import { globParts } from "./glob-parts.ts";

/** The progress of a search in some folder for each pattern that may lead on from it. */
export type PlaceInSearch = readonly { readonly wildcard: WildcardPattern; readonly reached: PositionSet }[];

/**
 * The targets of a file search, from patterns without braces: a leading `!` excludes, a pattern without a slash is a
 * name.
 */
export class FilePatterns {
  /** Files that are named in full. */
  readonly paths: readonly string[];
  readonly top: PlaceInSearch;
  readonly #names: readonly WildcardPattern[];
  readonly #excluded: readonly WildcardPattern[];

  constructor(patterns: readonly string[]) {
    const excluded = patterns.filter((each) => each.startsWith("!")).map((each) => each.slice(1));
    const wanted = patterns.filter((each) => !each.startsWith("!"));
    const isPath = (each: string) => each.includes("/") && !/[*?[]/.test(each);
    const isWild = (each: string) => each.includes("/") && !isPath(each);
    this.paths = wanted.filter(isPath).map((each) => plainPath(each).replace(/\\(.)/gs, "$1"));
    this.#names = wanted.filter((each) => !each.includes("/")).flatMap(wildcardOf);
    this.top = wanted
      .filter(isWild)
      .flatMap(wildcardOf)
      .map((wildcard) => ({ wildcard, reached: wildcard.start() }));
    this.#excluded = excluded.flatMap(wildcardOf);
  }

  /** True if there is anything to search for, apart from files that are named in full. */
  get hasWildcards(): boolean {
    return this.#names.length > 0 || this.top.length > 0;
  }

  /** The most comparisons that a name may take. */
  get cost(): number {
    return this.#names.length + this.top.length + this.#excluded.length;
  }

  /** `folder`: the path of the place, with a trailing slash. */
  matches(place: PlaceInSearch, folder: string, name: string): boolean {
    const isWanted =
      this.#names.some((each) => each.test(name)) ||
      place.some(({ wildcard, reached }) => wildcard.isWhole(wildcard.advance(reached, name)));
    return isWanted && !this.#isExcluded(folder + name);
  }

  /** The state of the patterns in a subfolder; undefined: nothing in it can match. */
  inside(place: PlaceInSearch, folder: string, name: string): PlaceInSearch | undefined {
    if (this.#isExcluded(folder + name)) return undefined;
    const inside = place.flatMap(({ wildcard, reached }) => {
      const further = wildcard.advance(reached, `${name}/`);
      return wildcard.isOpen(further) ? [{ wildcard, reached: further }] : [];
    });
    return inside.length > 0 || this.#names.length > 0 ? inside : undefined;
  }

  #isExcluded(path: string): boolean {
    return this.#excluded.some((each) => each.test(path));
  }
}

function wildcardOf(pattern: string): WildcardPattern[] {
  const parts = globParts(plainPath(pattern), "itself");
  return parts ? [new WildcardPattern(parts)] : [];
}

function plainPath(pattern: string): string {
  return pattern.replace(/^(?:\.\/)+/, "").replace(/\/{2,}/g, "/");
}
