/** `{1..9}`, `{a..e}`, each with an optional step. */
const RANGE = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/;

/**
 * Expands the braces of a pattern as shells and git do; braces that are escaped, in brackets, or without a comma stay.
 * Undefined if there are more than `most`. Pure. The results are both checked and searched with: nothing may expand
 * them again.
 */
export function expandBraces(pattern: string, most: number): string[] | undefined {
  const group = firstGroup(pattern);
  if (!group) return [pattern];
  const tails = expandBraces(group.after, most);
  if (!tails) return undefined;
  const options = "words" in group ? group.words : optionsOf(group.range, most);
  const expanded = new Set<string>();
  for (const option of options ?? []) {
    const middles = "words" in group ? expandBraces(option, most) : [option];
    for (const middle of middles ?? []) {
      for (const tail of tails) expanded.add(group.before + middle + tail);
      if (expanded.size > most) return undefined;
    }
    if (!middles) return undefined;
  }
  return options && [...expanded];
}

type Group = { before: string; after: string } & ({ words: string[] } | { range: RegExpExecArray });

function firstGroup(pattern: string): Group | undefined {
  for (let at = 0; at < pattern.length; at = next(pattern, at)) {
    if (pattern[at] !== "{") continue;
    const commas: number[] = [];
    const end = groupEnd(pattern, at, commas);
    if (end === undefined) continue;
    const around = { before: pattern.slice(0, at), after: pattern.slice(end + 1) };
    if (commas.length > 0) {
      const cuts = [at, ...commas, end];
      return { ...around, words: cuts.slice(1).map((cut, i) => pattern.slice((cuts[i] ?? 0) + 1, cut)) };
    }
    const range = RANGE.exec(pattern.slice(at + 1, end));
    if (range) return { ...around, range };
  }
  return undefined;
}

/** The position of the closing brace for `start`; adds the commas between its alternatives. */
function groupEnd(pattern: string, start: number, commas: number[]): number | undefined {
  let depth = 0;
  for (let at = start; at < pattern.length; at = next(pattern, at)) {
    if (pattern[at] === "{") depth++;
    else if (pattern[at] === "}" && --depth === 0) return at;
    else if (pattern[at] === "," && depth === 1) commas.push(at);
  }
  return undefined;
}

/** The position after a character, an escaped one, or a closed pair of brackets. */
function next(pattern: string, at: number): number {
  if (pattern[at] === "\\") return at + 2;
  if (pattern[at] !== "[") return at + 1;
  const end = pattern.indexOf("]", at + 2);
  return end === -1 ? at + 1 : end + 1;
}

function optionsOf([, from = "", to = "", by]: RegExpExecArray, most: number): string[] | undefined {
  const letters = /[A-Za-z]/.test(from);
  if (letters !== /[A-Za-z]/.test(to)) return [`{${from}..${to}}`];
  const first = letters ? from.charCodeAt(0) : Number(from);
  const last = letters ? to.charCodeAt(0) : Number(to);
  const step = Math.max(1, Math.abs(Number(by ?? 1)));
  if (Math.abs(last - first) / step + 1 > most) return undefined;
  const width = /^-?0\d/.test(from) || /^-?0\d/.test(to) ? Math.max(from.length, to.length) : 0;
  const options: string[] = [];
  for (let i = 0; i <= Math.abs(last - first); i += step) {
    const value = first < last ? first + i : first - i;
    const sign = value < 0 ? "-" : "";
    options.push(
      letters ? String.fromCharCode(value) : sign + String(Math.abs(value)).padStart(width - sign.length, "0"),
    );
  }
  return options;
}
