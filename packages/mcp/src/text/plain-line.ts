/** Characters that no terminal shows as they are: controls, and marks that turn or hide text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\s]+/gu;

/** Words of a server as one line of ours. */
export function plainLine(text: string, maxChars: number): string {
  const line = text
    .slice(0, maxChars * 4)
    .replace(UNSEEN, " ")
    .trim();
  return (line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line).toWellFormed();
}

/** A text of a server of several lines, without characters that only harm. */
export function plainLines(text: string, maxChars: number): string {
  const plain = text
    .slice(0, maxChars * 2)
    .replace(/\r\n?/g, "\n")
    .replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, "")
    .trim();
  return (plain.length > maxChars ? `${plain.slice(0, maxChars - 1)}…` : plain).toWellFormed();
}
