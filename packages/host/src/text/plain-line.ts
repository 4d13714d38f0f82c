/** Characters that no terminal shows as they are: controls, and marks that reverse or hide text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\s]+/gu;

/** A server's text as a single line of ours. */
export function plainLine(text: string, maxChars: number): string {
  const line = text
    .slice(0, maxChars * 4)
    .replace(UNSEEN, " ")
    .trim();
  return (line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line).toWellFormed();
}

/** A server's multi-line text, without harmful characters. */
export function plainLines(text: string, maxChars: number): string {
  const plain = text
    .slice(0, maxChars * 2)
    .replace(/\r\n?/g, "\n")
    .replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, "")
    .trim();
  return (plain.length > maxChars ? `${plain.slice(0, maxChars - 1)}…` : plain).toWellFormed();
}
