import type { DiffLine, DiffSide } from "./diff-lines.ts";

/** A range of a text that differs, in UTF-16 units. */
export type TextRange = { readonly from: number; readonly to: number };

/** The maximum number of words per line to compare; longer lines are compared only by their common start and end. */
const MAX_WORDS = 300;
/** Lines with less in common are two lines rather than one that changed. */
const LEAST_COMMON = 0.4;
/** How many added lines are tried for a removed one. */
const MAX_TRIES = 8;

/** The words that changed, by line: in a removed line and in the added one that replaced it. */
export function changedWords(lines: readonly DiffLine[]): ReadonlyMap<DiffLine, readonly TextRange[]> {
  const found = new Map<DiffLine, readonly TextRange[]>();
  for (let at = 0; at < lines.length; ) {
    const removed = run(lines, at, "-");
    const added = run(lines, at + removed.length, "+");
    if (removed.length > 0 && added.length > 0) pairUp(removed, added, found);
    at += Math.max(1, removed.length + added.length);
  }
  return found;
}

function run(lines: readonly DiffLine[], from: number, mark: "+" | "-"): DiffSide[] {
  const sides: DiffSide[] = [];
  for (let at = from; at < lines.length; at++) {
    const line = lines[at];
    if (!line || !("mark" in line) || line.mark !== mark) break;
    sides.push(line);
  }
  return sides;
}

/**
 * If as many lines were removed as added, they are paired by position. Otherwise each removed line is paired with the
 * next added one that resembles it.
 */
function pairUp(
  removed: readonly DiffSide[],
  added: readonly DiffSide[],
  found: Map<DiffLine, readonly TextRange[]>,
): void {
  let next = 0;
  for (const [place, before] of removed.entries()) {
    const tries = removed.length === added.length ? [place] : Array.from({ length: MAX_TRIES }, (_, n) => next + n);
    for (const index of tries) {
      const after = added[index];
      const changes = after && compareWords(before.text, after.text);
      if (!after || !changes) continue;
      found.set(before, changes.before);
      found.set(after, changes.after);
      next = index + 1;
      break;
    }
  }
}

/** Where two lines differ; undefined if they have too little in common. */
export function compareWords(
  before: string,
  after: string,
): { before: readonly TextRange[]; after: readonly TextRange[] } | undefined {
  const [olds, news] = [wordsOf(before), wordsOf(after)];
  const most = Math.min(olds.length, news.length);
  let head = 0;
  while (head < most && olds[head] === news[head]) head += 1;
  let tail = 0;
  while (tail < most - head && olds.at(-1 - tail) === news.at(-1 - tail)) tail += 1;
  const [out, into] = [olds.slice(head, olds.length - tail), news.slice(head, news.length - tail)];
  const same = commonWords(out, into);
  const kept = { before: new Set(same.map(([a]) => a + head)), after: new Set(same.map(([, b]) => b + head)) };
  const isKept = (index: number, count: number, set: ReadonlySet<number>): boolean =>
    index < head || index >= count - tail || set.has(index);
  const common = weight(olds.filter((_, index) => isKept(index, olds.length, kept.before)));
  if (common < LEAST_COMMON * Math.max(weight(olds), weight(news))) return undefined;
  return {
    before: stretches(olds, (index) => isKept(index, olds.length, kept.before)),
    after: stretches(news, (index) => isKept(index, news.length, kept.after)),
  };
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu) ?? [];
}

/** The number of characters in words that are not blank. */
function weight(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (word.trim() === "" ? 0 : word.length), 0);
}

/** The longest common subsequence as pairs of indexes; empty if finding it would take long. */
function commonWords(a: readonly string[], b: readonly string[]): [number, number][] {
  if (a.length === 0 || b.length === 0 || a.length > MAX_WORDS || b.length > MAX_WORDS) return [];
  const columns = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * columns);
  const at = (x: number, y: number): number => lengths[x * columns + y] ?? 0;
  for (let x = a.length - 1; x >= 0; x--) {
    for (let y = b.length - 1; y >= 0; y--) {
      lengths[x * columns + y] = a[x] === b[y] ? at(x + 1, y + 1) + 1 : Math.max(at(x + 1, y), at(x, y + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let x = 0, y = 0; x < a.length && y < b.length; ) {
    if (a[x] === b[y]) pairs.push([x++, y++]);
    else if (at(x + 1, y) >= at(x, y + 1)) x += 1;
    else y += 1;
  }
  return pairs;
}

/** The words that are not kept, joined if only blanks are between them. */
function stretches(words: readonly string[], isKept: (index: number) => boolean): TextRange[] {
  const found: { from: number; to: number }[] = [];
  let offset = 0;
  let blankFrom = -1;
  for (const [index, word] of words.entries()) {
    const last = found.at(-1);
    const isBlank = word.trim() === "";
    if (!isKept(index) && !(isBlank && last?.to !== offset && blankFrom < 0)) {
      if (last && (last.to === offset || last.to === blankFrom)) last.to = offset + word.length;
      else found.push({ from: offset, to: offset + word.length });
      blankFrom = -1;
    } else if (isBlank && last?.to === offset) blankFrom = offset;
    else blankFrom = -1;
    offset += word.length;
  }
  return found;
}
