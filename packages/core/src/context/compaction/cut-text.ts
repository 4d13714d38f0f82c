/** The beginning of a text, with a note if the rest is missing. */
export function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars
    ? text
    : `${text.slice(0, maxChars).toWellFormed()} [… cut, ${text.length} characters]`;
}

/** The beginning and end of a text. */
export function keepEnds(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = Math.floor(maxChars * 0.6);
  const tail = Math.max(0, maxChars - head);
  const end = tail === 0 ? "" : text.slice(-tail).toWellFormed();
  return `${text.slice(0, head).toWellFormed()}\n[… ${text.length - head - tail} characters left out]\n${end}`;
}
