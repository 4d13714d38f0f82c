import { ansiLines } from "../../text/ansi-text.ts";
import type { Row } from "../../text/style.ts";
import type { BlockContext } from "../block-context.ts";
import { type Ends, headAndTail } from "./head-and-tail.ts";

const TEXT: Ends = { head: 3, tail: 2, open: 2000 };

/** Output without any special form, in its own colours. */
export function textRows(text: string, context: BlockContext): Row[] {
  const trimmed = text.replace(/(?<!\n)\n+$/, "");
  return trimmed === "" ? [] : headAndTail(ansiLines(trimmed), TEXT, context, "word");
}
