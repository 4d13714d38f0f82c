import { isPartOfEmoji } from "./hidden-characters.ts";
import { PLAIN, type Span, style } from "./style.ts";

const SHOWN = style({ fg: "hidden", inverse: true });
/** Characters other than letters, marks, digits, punctuation, symbols and blanks; blank-looking letters; lone marks. */
const DOUBTFUL =
  /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|[\p{Default_Ignorable_Code_Point}\u2800]|(?<!\S) {17,}|(?<=\S) {4,}|\p{M}{11,}|(?<![\p{L}\p{M}\p{N}\p{P}\p{S}])\p{M}/gu;

function codeOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  if (character === "\t") return "⟶";
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  if (point < 0x20) return String.fromCodePoint(0x2400 + point);
  if (point === 0x7f) return "␡";
  return `⟨U+${point.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

function shown(found: string): string {
  if (found.startsWith(" ")) return `⟨${found.length} spaces⟩`;
  if (/^\p{M}/u.test(found) && found.length > 1) return `⟨${[...found].length} marks⟩`;
  return codeOf(found);
}

/** Something in place of text, which no text can look like. */
export function code(text: string): Span {
  return { text: `⟨${text}⟩`, style: SHOWN };
}

/**
 * A text for a question to the person: nothing is dropped. Controls, bidi, zero-width (except within emoji), fillers,
 * strange blanks, half, private and unassigned characters become highlighted codes; long runs of blanks (other than an
 * indent) become a count. Newlines are shown too: split the text first to keep its lines. `look`: for the rest.
 */
export function visible(text: string, look = PLAIN): Span[] {
  const spans: Span[] = [];
  let done = 0;
  for (const match of text.matchAll(DOUBTFUL)) {
    const [found] = match;
    if (isPartOfEmoji(found, text, match.index)) continue;
    if (match.index > done) spans.push({ text: text.slice(done, match.index), style: look });
    spans.push({ text: shown(found), style: SHOWN });
    done = match.index + found.length;
  }
  if (done < text.length) spans.push({ text: text.slice(done), style: look });
  return spans;
}

export function visibleText(text: string): string {
  return visible(text)
    .map((span) => span.text)
    .join("");
}
