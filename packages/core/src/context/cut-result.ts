/** Where a text that was cut says that all of it is. */
const SAVED = /The whole text is in (\S[^\n]*?)\. Read it in parts/;

/** The characters of a text that is cut to so many: more of its beginning than of its end. */
export function splitBudget(chars: number): { head: number; tail: number } {
  const head = Math.floor(chars * 0.7);
  return { head, tail: chars - head };
}

/** A longer text keeps 70 % of `maxChars` characters at its beginning and 30 % at its end; `note` says how many are left out. */
export function cutMiddle(text: string, maxChars: number, note: (left: number) => string): string {
  if (text.length <= maxChars) return text;
  const { head, tail } = splitBudget(maxChars);
  const ends = [text.slice(0, head), text.slice(-tail)].map(wellFormedEnds);
  return ends.join(`\n${note(text.length - maxChars)}\n`);
}

/** A line that is longer is not shown whole where a file is read by lines. */
const LONG_LINE = /[^\n]{2001}/;

/**
 * Says that so many characters of a text are left out. `saved`: the file with all of it; absent: the call can be made again
 * for less.
 */
export function cutNote(text: string, left: number, saved: string | undefined): string {
  const parts = LONG_LINE.test(text) ? "by characters, because its lines are long" : "by lines";
  const where = saved
    ? `The whole text is in ${saved}. Read it in parts, ${parts}.`
    : "Ask for less: a smaller range, a narrower pattern.";
  return `[… ${left} of ${text.length} characters left out. ${where}]`;
}

/** The file that a cut text names; undefined: it was not cut, or can be had again. */
export function savedFile(text: string): string | undefined {
  return SAVED.exec(text)?.[1];
}

/**
 * Cuts a result that would crowd out the conversation to its head and tail. `saved` names the file with the whole text, if
 * there is one.
 */
export function cutResult(text: string, maxChars: number, saved: string | undefined): string {
  return cutMiddle(text, maxChars, (left) => cutNote(text, left, saved));
}

/** Removes half a surrogate pair at the ends. */
export function wellFormedEnds(text: string): string {
  return text.isWellFormed() ? text : text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "").toWellFormed();
}
