import type { DrawingCode } from "../../text/markdown/drawing-code.ts";
import { highlight } from "../../text/markdown/highlighter.ts";
import type { Span } from "../../text/style.ts";
import { visible } from "../../text/visible.ts";

/** A line of a command with shell highlighting; no character is hidden. */
export function shellSpans(line: string, code: DrawingCode): Span[] {
  const [spans = []] = highlight(line, "bash", code);
  return spans.flatMap(({ text, style }) => visible(text, style));
}
