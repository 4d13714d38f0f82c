import { visiblePieces } from "@harness/protocol/text";
import { PLAIN, type Span, style } from "./style.ts";

const CODE = style({ fg: "hidden", inverse: true });

/** A code that replaces a character, in a style that no text can imitate. */
export function code(text: string): Span {
  return { text: `⟨${text}⟩`, style: CODE };
}

/** `visibleText` with its codes highlighted. `look`: the style of the rest. */
export function visible(text: string, look = PLAIN): Span[] {
  return visiblePieces(text).map((piece) => ({ text: piece.text, style: piece.isCode ? CODE : look }));
}
