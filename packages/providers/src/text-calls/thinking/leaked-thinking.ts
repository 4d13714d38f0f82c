import { anyOf } from "../calls/text-call.ts";
import { THINK_TAGS, ThinkSplitter } from "./think-splitter.ts";

/**
 * Thoughts at the beginning of a message: between tags, or up to a closing tag alone on its line, if the model's
 * template had opened them; they may be the whole message. Undefined if there are none. `goesOn`: the message does not
 * end with this text, because it was cut or calls follow; otherwise an answer that begins with such a tag's word, and
 * never closes it, must not become empty.
 */
export function leakedThinking(
  text: string,
  { goesOn = false }: { goesOn?: boolean } = {},
): { thinking: string; text: string } | undefined {
  const leaked = splitThinking(text);
  const isAnswer = leaked?.text === "" && leaked.thinking !== "" && !goesOn && !leaked.isClosed && !OPENED.test(text);
  return leaked && !isAnswer ? { thinking: leaked.thinking, text: leaked.text } : undefined;
}

/**
 * Templates and models continue right after the tag, or on the next line; an answer that begins with the word does not.
 */
const OPENED = new RegExp(
  `^\\s{0,100}(?:${anyOf(THINK_TAGS.map((tag) => tag.open))})(?:[\\p{L}\\p{N}*#<{[]|[ \\t]{0,8}\\r?\\n)`,
  "u",
);

/** True if the text begins with the tag that opens thinking. */
export function beginsWithThinking(text: string): boolean {
  const splitter = new ThinkSplitter();
  splitter.push(text.slice(0, HEAD));
  return splitter.hasThoughts;
}

const HEAD = 200;

/** `isClosed`: a tag ends the thoughts. */
type ThoughtSplit = { thinking: string; text: string; isClosed: boolean };

function splitThinking(text: string): ThoughtSplit | undefined {
  const splitter = new ThinkSplitter();
  const pieces = splitter.push(text);
  const last = splitter.end();
  const { hasThoughts, isClosed } = splitter;
  if (hasThoughts) return { ...trimmed(pieces.thinking + last.thinking, pieces.text + last.text), isClosed };
  for (const { open, close } of THINK_TAGS) {
    const at = aloneTag(text, close);
    if (at === undefined || text.includes(open)) continue;
    return { ...trimmed(text.slice(0, at), text.slice(at + close.length)), isClosed: true };
  }
  return undefined;
}

/** The position of a tag that is alone on its line; only prose about tags has them within a line or in code. */
function aloneTag(text: string, tag: string): number | undefined {
  const at = text.indexOf(tag);
  if (at < 0) return undefined;
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf("\n") + 1;
  const after = text.indexOf("\n", at);
  const rest = text.slice(at + tag.length, after < 0 ? text.length : after);
  const isAlone = before.slice(lineStart).trim() === "" || rest.trim() === "";
  const isMentioned = /[`"']$/.test(before) || text.includes(tag, at + 1);
  return isAlone && !isMentioned && !isInFence(before) ? at : undefined;
}

function isInFence(before: string): boolean {
  return (before.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0) % 2 === 1;
}

function trimmed(thinking: string, text: string): { thinking: string; text: string } {
  return { thinking: thinking.trim(), text: text.trim() };
}
