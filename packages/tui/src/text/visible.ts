import { visiblePieces } from "@harness/protocol";
import { PLAIN, type Span, style } from "./style.ts";

const CODE = style({ fg: "hidden", inverse: true });

/** Something in place of text, which no text can look like. */
export function code(text: string): Span {
  return { text: `⟨${text}⟩`, style: CODE };
}

/** `visibleText` with its codes highlighted. `look`: for the rest. */
export function visible(text: string, look = PLAIN): Span[] {
  return visiblePieces(text).map((piece) => ({ text: piece.text, style: piece.isCode ? CODE : look }));
}
