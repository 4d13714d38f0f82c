/** Text on one line for titles: control and direction-changing characters become blanks, long text is cut. */
export function oneLine(text: string, maxChars = 200): string {
  const flat = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .trim()
    .toWellFormed();
  return flat.length <= maxChars ? flat : `${flat.slice(0, maxChars - 1).toWellFormed()}…`;
}
