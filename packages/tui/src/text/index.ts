/**
 * Text that may be drawn. Everything of a model, a tool, a file or a server is untrusted until it went through here:
 *   sanitise(text)      plain text, lines kept, every escape sequence and hidden character gone (titles, Markdown, names)
 *   AnsiText            (ansi-text.ts) the same for tool output, as a stream: colours become styles, \r overwrites
 *   visibleText(text)   for questions to the user: nothing is dropped, hidden characters become codes (gate.md §4.1)
 * Widths count terminal cells.
 */

export { visibleText } from "@harness/protocol/text";
export { padRow, truncateMiddle, truncateRow, truncateText } from "./fit.ts";
export { joinIntoLine } from "./join-lines.ts";
export { sanitise, sanitiseLine, textLines } from "./sanitise.ts";
export {
  EMPTY_ROW,
  PLAIN,
  type Row,
  row,
  type Span,
  span,
  style,
} from "./style.ts";
export { code, visible } from "./visible.ts";
export { stringWidth } from "./width.ts";
export { prefixRows, spansWidth, type WrapMode, wrapColumns, wrapSpans } from "./wrap.ts";
