/** The note in a cut text that names the file with the whole of it. */
const SAVED = /The whole text is in (\S[^\n]*?)\. Read it in parts/;

/** Splits a limit in characters between the beginning and the end of a text, favouring the beginning. */
export function splitBudget(chars: number): { head: number; tail: number } {
  const head = Math.floor(chars * 0.7);
  return { head, tail: chars - head };
}

/**
 * Cuts text longer than `maxChars`: 70 % of the limit stays at the beginning and 30 % at the end. `note` gets the
 * number of omitted characters.
 */
export function cutMiddle(text: string, maxChars: number, note: (left: number) => string): string {
  if (text.length <= maxChars) return text;
  const { head, tail } = splitBudget(maxChars);
  const ends = [text.slice(0, head), text.slice(-tail)].map(wellFormedEnds);
  return ends.join(`\n${note(text.length - maxChars)}\n`);
}

/** Reading a file by lines does not show a longer line in full. */
const LONG_LINE = /[^\n]{2001}/;

/**
 * Says how many characters of a text are omitted. `saved`: the file with the whole text; absent: the call can be
 * repeated with a smaller range.
 */
export function cutNote(text: string, left: number, saved: string | undefined): string {
  const parts = LONG_LINE.test(text) ? "by characters, because its lines are long" : "by lines";
  const where = saved
    ? `The whole text is in ${saved}. Read it in parts, ${parts}.`
    : "Ask for less: a smaller range, a narrower pattern.";
  return `[… ${left} of ${text.length} characters left out. ${where}]`;
}

/** The file that a cut text names; undefined: it was not cut, or the call can be repeated. */
export function savedFile(text: string): string | undefined {
  return SAVED.exec(text)?.[1];
}

/**
 * Cuts a result that would crowd out the conversation to its head and tail. `saved` names the file with the whole text,
 * if any.
 */
export function cutResult(text: string, maxChars: number, saved: string | undefined): string {
  return cutMiddle(text, maxChars, (left) => cutNote(text, left, saved));
}

/** Removes half a surrogate pair at the ends. */
export function wellFormedEnds(text: string): string {
  return text.isWellFormed() ? text : text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "").toWellFormed();
}
