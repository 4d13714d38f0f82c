/**
 * Control, bidi, zero-width, private and unassigned characters, lone surrogates, unusual spaces, and long runs of
 * spaces.
 */
const DOUBTFUL = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|[\p{Default_Ignorable_Code_Point}\u2800]| {4,}/gu;

/**
 * Text of an untrusted file in a question to the person, on one line: nothing is dropped, and characters that are
 * invisible or would control the terminal are shown as codes.
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

/** A line of code: its indentation stays as it is. */
export function visibleCode(line: string): string {
  const [indent = ""] = /^[ \t]*/.exec(line) ?? [];
  return indent + visibleText(line.slice(indent.length));
}
