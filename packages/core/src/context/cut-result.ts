/**
 * Cuts a result that would crowd out the conversation to its head and tail. `spilled` names the file with the whole
 * text, if the tool made one.
 */
export function cutResult(text: string, maxChars: number, spilled: string | undefined): string {
  if (text.length <= maxChars) return text;
  const head = Math.floor(maxChars * 0.7);
  const tail = maxChars - head;
  const where = spilled ? `The whole text is in ${spilled}.` : "Ask for less: a smaller range, a narrower pattern.";
  const note = `\n[… ${text.length - maxChars} of ${text.length} characters left out. ${where}]\n`;
  return `${wellFormed(text.slice(0, head))}${note}${wellFormed(text.slice(-tail))}`;
}

/** Removes half a surrogate pair at the cut. */
function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "").toWellFormed();
}
