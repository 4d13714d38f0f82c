/** Makes text valid for every wire, disk and terminal: no lone surrogates, no NUL. */
export function sanitizeText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\0") ? whole.replaceAll("\0", "") : whole;
}
