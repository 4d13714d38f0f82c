/** Controls, bidi, zero-width, strange blanks, half, private and unassigned characters; long runs of blanks. */
const DOUBTFUL = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|[\p{Default_Ignorable_Code_Point}\u2800]| {4,}/gu;

/**
 * A text of a stranger's file in a question to the person, on one line: nothing is dropped, and what cannot be seen or
 * would steer the terminal is shown as a code.
 */
export function visibleText(text: string): string {
  return text.replace(DOUBTFUL, (found) => {
    if (found.startsWith(" ")) return `⟨${found.length} spaces⟩`;
    if (found === "\n") return "\\n";
    if (found === "\r") return "\\r";
    if (found === "\t") return "⟶";
    const point = found.codePointAt(0) ?? 0;
    if (point < 0x20) return String.fromCodePoint(0x2400 + point);
    return `⟨U+${point.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}
