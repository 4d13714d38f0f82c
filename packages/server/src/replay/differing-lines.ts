const MAX_LINES = 6;
const MAX_LINE_CHARS = 200;

/** The lines of two texts between what they have in common at both ends; `offset`: where they begin in the second. */
export function differingLines(then: string, now: string): { recorded: string; now: string; offset: number } {
  const [before, after] = [then.split("\n"), now.split("\n")];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const offset = after.slice(0, start).join("\n").length + (start > 0 ? 1 : 0);
  return {
    recorded: shown(before.slice(start, before.length - end)),
    now: shown(after.slice(start, after.length - end)),
    offset,
  };
}

function shown(lines: readonly string[]): string {
  const cut = lines.slice(0, MAX_LINES).map((line) => line.slice(0, MAX_LINE_CHARS).toWellFormed());
  const more = lines.length - cut.length;
  return [...cut, ...(more > 0 ? [`… (${more} more lines)`] : [])].join("\n");
}
