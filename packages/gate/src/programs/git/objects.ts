/** The empty tree, a common base of diffs. */
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** True if git could take the word as an object or a range, and not only as a path, a pattern or `:(magic)`. */
export function mayBeObject(word: string): boolean {
  const [base = ""] = word.replace(/\{[^{}]*\}/g, "").split(":");
  return base !== "" && !/[*?[\\\s]/.test(base);
}

/**
 * The word with its objects named as commits, `a1b2c3d` as `a1b2c3d^{commit}`: git then rejects a hash or tag of a file
 * or folder, which would hide its path. `HEAD:src/a.ts` shows it.
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

/** Splits `a..b` at its dots. */
function sidesOf(word: string): { sides: string[]; dots: string } {
  const [, before = "", dots = "", after = ""] =
    /^((?:[^.{]|\.(?!\.)|\{[^{}]*\})*)(\.\.\.?)((?!\/).*)$/s.exec(word) ?? [];
  return dots === "" ? { sides: [word], dots } : { sides: [before, after], dots };
}

/** Splits `^name~2` into its parts. */
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
