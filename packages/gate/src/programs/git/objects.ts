/** The tree without anything in it, which diffs are often made against. */
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Could git take the word for an object or a range, and not only for a path, a pattern or `:(magic)`? */
export function mayBeObject(word: string): boolean {
  const [base = ""] = word.replace(/\{[^{}]*\}/g, "").split(":");
  return base !== "" && !/[*?[\\\s]/.test(base);
}

/**
 * The word with its objects named as commits, `a1b2c3d` as `a1b2c3d^{commit}`: git then refuses the hash or the tag of a
 * file or a folder, which does not say what it is called. `HEAD:src/a.ts` says it.
 */
export function asCommits(word: string): string {
  if (!mayBeObject(word)) return word;
  const { sides, dots } = sidesOf(word);
  return sides.map(asCommit).join(dots);
}

/** The names in a word that `asCommits` marks as commits. */
export function boundNames(word: string): string[] {
  if (!mayBeObject(word)) return [];
  return sidesOf(word).sides.flatMap((side) => (asCommit(side) === side ? [] : [partsOf(side).base]));
}

/** `a..b` as what stands beside its dots. */
function sidesOf(word: string): { sides: string[]; dots: string } {
  const [, before = "", dots = "", after = ""] =
    /^((?:[^.{]|\.(?!\.)|\{[^{}]*\})*)(\.\.\.?)((?!\/).*)$/s.exec(word) ?? [];
  return dots === "" ? { sides: [word], dots } : { sides: [before, after], dots };
}

/** `^name~2` as its parts. */
function partsOf(side: string): { not: string; base: string; rest: string } {
  const [, not = "", base = "", rest = ""] = /^(\^?)((?:@\{[^{}]*\}|[^:^~])*)(.*)$/s.exec(side) ?? [];
  return { not, base, rest };
}

function asCommit(side: string): string {
  const { not, base, rest } = partsOf(side);
  if (base === "" || base === "HEAD" || base === "@" || side === emptyTree) return side;
  // The rest makes it a parent of a commit, or an object found from one.
  const isCommit = /^(?:~|\^(?!\{)|\^\{(?:\/|commit\}))/.test(rest);
  return isCommit ? side : `${not}${base}^{commit}${rest}`;
}
