/** Changes with fewer unchanged lines between them are merged. */
const MIN_GAP = 3;
/** With more differing lines a minimal diff takes seconds; then the whole changed range is one hunk. */
const MAX_EDITS = 1000;

/** Lines from `start` on, with their ends: `before` becomes `after`. */
export type LineHunk = { start: number; before: readonly string[]; after: readonly string[] };

/** Lines with their ends, so that joining them gives the text again. */
export function wholeLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The changes that turn one text into the other; applying all of them gives exactly the second one. */
export async function splitHunks(before: string, after: string): Promise<LineHunk[]> {
  const old = wholeLines(before);
  const hunks: LineHunk[] = [];
  let at = 0;
  for (const hunk of await changesOf(old, wholeLines(after))) {
    const last = hunks.at(-1);
    const gap = last ? old.slice(at, hunk.start) : [];
    at = hunk.start + hunk.before.length;
    if (!last || gap.length >= MIN_GAP) hunks.push(hunk);
    else {
      hunks[hunks.length - 1] = {
        start: last.start,
        before: [...last.before, ...gap, ...hunk.before],
        after: [...last.after, ...gap, ...hunk.after],
      };
    }
  }
  return hunks;
}

async function changesOf(old: string[], fresh: string[]): Promise<LineHunk[]> {
  const { diffArrays } = await import("diff");
  const parts = diffArrays(old, fresh, { maxEditLength: MAX_EDITS });
  if (!parts) return [changedStretch(old, fresh)];
  const hunks: LineHunk[] = [];
  let start = 0;
  let before: string[] = [];
  let after: string[] = [];
  const end = (): void => {
    if (before.length + after.length > 0) hunks.push({ start, before, after });
    start += before.length;
    before = [];
    after = [];
  };
  for (const { added, removed, value } of parts) {
    if (added) after.push(...value);
    else if (removed) before.push(...value);
    else {
      end();
      start += value.length;
    }
  }
  end();
  return hunks;
}

function changedStretch(old: readonly string[], fresh: readonly string[]): LineHunk {
  const shorter = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < shorter && old[start] === fresh[start]) start++;
  let tail = 0;
  while (tail < shorter - start && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  return { start, before: old.slice(start, old.length - tail), after: fresh.slice(start, fresh.length - tail) };
}

/** The text with some of its hunks applied, in order, each with the given lines. */
export function withHunks(text: string, hunks: readonly { hunk: LineHunk; after: string }[]): string {
  const lines = wholeLines(text);
  let at = 0;
  const parts: string[] = [];
  for (const { hunk, after } of hunks) {
    parts.push(...lines.slice(at, hunk.start), after);
    at = hunk.start + hunk.before.length;
  }
  return [...parts, ...lines.slice(at)].join("");
}
