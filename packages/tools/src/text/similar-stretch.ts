export type SimilarStretch = {
  /** Where it begins in the text, from 1, and its number of lines. */
  line: number;
  lines: number;
  /** The first differing line, with both sides; a side is undefined if it has ended. */
  differsAt: number;
  given: string | undefined;
  found: string | undefined;
};

const MAX_ANCHORED_GAP = 20;
/** A line is a candidate only if it shares at least this much with the wanted line. */
const MIN_LIKENESS = 0.5;
/** Votes of very frequent lines, such as `}`, do not indicate a place. */
const MAX_VOTES_A_LINE = 50;
/** The number of lines to compare by likeness, which costs most. */
const MAX_COMPARED = 20_000;

/** The lines of `text` that are most similar to `old`; undefined: none. Pure, linear in the text. */
export function similarStretch(text: string, old: string): SimilarStretch | undefined {
  const lines = text.split("\n");
  const wanted = old.replace(/\n$/, "").split("\n");
  const start = byVotes(lines, wanted) ?? byLikeness(lines, wanted);
  if (start === undefined) return undefined;
  let at = 0;
  while (at < wanted.length && lines[start + at] === wanted[at]) at++;
  return {
    line: start + 1,
    lines: Math.min(wanted.length, lines.length - start),
    differsAt: start + at + 1,
    given: wanted[at],
    found: lines[start + at],
  };
}

/**
 * The lines from the first to the last line of `old`, if the text contains each of these exactly once. Not for fewer
 * than three lines, or if the stretch has a very different length. Pure.
 */
export function anchoredStretch(text: string, old: string): Pick<SimilarStretch, "line" | "lines"> | undefined {
  const wanted = old.trim().split("\n");
  const [first = "", last = ""] = [wanted[0]?.trim(), wanted.at(-1)?.trim()];
  if (wanted.length < 3 || first === "" || last === "") return undefined;
  const lines = text.split("\n").map((line) => line.trim());
  const start = lines.indexOf(first);
  const end = lines.indexOf(last, start + 1);
  if (start === -1 || end === -1) return undefined;
  if (lines.lastIndexOf(first) !== start || lines.lastIndexOf(last) !== end) return undefined;
  const count = end - start + 1;
  return count <= 2 * wanted.length + MAX_ANCHORED_GAP ? { line: start + 1, lines: count } : undefined;
}

/** Each line of `old` that the text contains too votes for the place where `old` would then begin. */
function byVotes(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const line of wanted) if (line.trim().length > 1) places.set(line.trim(), []);
  for (let i = 0; i < lines.length; i++) {
    const found = places.get((lines[i] ?? "").trim());
    if (found && found.length <= MAX_VOTES_A_LINE) found.push(i);
  }
  const votes = new Map<number, number>();
  let best: number | undefined;
  for (const [offset, line] of wanted.entries()) {
    const found = places.get(line.trim());
    if (!found || found.length > MAX_VOTES_A_LINE) continue;
    for (const i of found) {
      const start = Math.max(0, i - offset);
      const count = (votes.get(start) ?? 0) + 1;
      votes.set(start, count);
      if (best === undefined || count > (votes.get(best) ?? 0)) best = start;
    }
  }
  return best;
}

/** If no line is the same: the line most like the longest line of `old`, by the character pairs they share. */
function byLikeness(lines: readonly string[], wanted: readonly string[]): number | undefined {
  let offset = 0;
  for (const [i, line] of wanted.entries()) if (line.length > (wanted[offset] ?? "").length) offset = i;
  const model = pairs(wanted[offset] ?? "");
  if (model.size === 0) return undefined;
  let best: number | undefined;
  let bestLikeness = MIN_LIKENESS;
  let compared = 0;
  for (let i = 0; i < lines.length && compared < MAX_COMPARED; i++) {
    const line = (lines[i] ?? "").trim();
    // Lines of such different lengths cannot share half of their pairs.
    if (line.length < model.size / 4) continue;
    compared++;
    const likeness = shared(model, pairs(line));
    if (likeness <= bestLikeness) continue;
    bestLikeness = likeness;
    best = Math.max(0, i - offset);
  }
  return best;
}

function pairs(line: string): Set<string> {
  const text = line.trim().slice(0, 400);
  const found = new Set<string>();
  for (let i = 0; i + 1 < text.length; i++) found.add(text.slice(i, i + 2));
  return found;
}

/** Dice's coefficient: 1 for the same pairs, 0 for none in common. */
function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (b.size === 0) return 0;
  let common = 0;
  for (const pair of a) if (b.has(pair)) common++;
  return (2 * common) / (a.size + b.size);
}
