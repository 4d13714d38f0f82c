import { anyOf, type BlockStart, skipSpace } from "../calls/text-call.ts";
import { formsOf } from "../forms/call-forms.ts";

/**
 * Text that follows a mark in a real call: JSON, a tag, or a name before either. In prose that mentions the mark, none
 * of these follows.
 */
const CONTENT =
  /(?:\[\s{0,20})?\{|<(?!\/)|[^\s<>{]{1,128}>?\s{0,20}[<{]|[^\n<>]{1,128}(?:>\s{0,20}[<{]|\s{0,20}<arg_key>)/y;

/**
 * The end of an unreadable block, according to its marks: nothing in it counts as a call, because it may be a file that
 * the model wanted to write. Without a closing mark it extends to the end of the message.
 */
export function blockEnd({ text, at, opener }: Pick<BlockStart, "text" | "at" | "opener">): number {
  const begin = skipSpace(text, at);
  CONTENT.lastIndex = begin;
  if (text.startsWith(opener, begin) || !CONTENT.test(text)) return at;
  const closers = formsOf(opener).flatMap((form) => form.closers);
  if (closers.length === 0) return text.length;
  const mark = new RegExp(anyOf([opener, ...closers]), "g");
  mark.lastIndex = at;
  for (let depth = 1; ; ) {
    const found = mark.exec(text);
    if (!found) return text.length;
    depth += found[0] === opener ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
}
