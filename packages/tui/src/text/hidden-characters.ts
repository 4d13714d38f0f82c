import { isPartOfEmoji } from "@harness/protocol/text";
import { isAscii } from "./width.ts";

/** Characters that draw nothing or reorder what is drawn: bidi, zero-width, fillers, tags, line separators. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;
const MANY_MARKS = /(\p{M}{10})\p{M}+/gu;
const ANY_MARKS = /\p{M}{11}/u;
const EMOJI_BEFORE = /\p{Emoji}$/u;
const KEYCAP_BEFORE = /[0-9#*]$/;
/** Scripts in which a joiner changes how letters are written. */
const JOINED_LETTER =
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}]$/u;

const JOINER = "\u200d";
const NON_JOINER = "\u200c";
/** Follows a character that may be drawn as a picture, and makes it text. */
const TEXT_STYLE = "\ufe0e";

/** True if a hidden character is part of the writing: inside an emoji, or between letters that it joins. */
function isPartOfWriting(character: string, text: string, index: number): boolean {
  if (isPartOfEmoji(character, text, index)) return true;
  const before = text.slice(Math.max(0, index - 2), index);
  if (character === TEXT_STYLE) return EMOJI_BEFORE.test(before) && !KEYCAP_BEFORE.test(before);
  const isJoiner = character === JOINER || character === NON_JOINER;
  return isJoiner && JOINED_LETTER.test(before);
}

/** Hidden characters that `dropHidden` takes out of a text: how many, and the first different ones (`U+200B`). */
export type DroppedCharacters = { readonly count: number; readonly names: readonly string[] };

const MAX_NAMES = 3;

/** Undefined: none. */
export function droppedCharacters(text: string): DroppedCharacters | undefined {
  if (isAscii(text)) return undefined;
  const names = new Set<string>();
  let count = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (isPartOfWriting(character, text, index)) continue;
    count += 1;
    if (names.size < MAX_NAMES) names.add(codePointName(character));
  }
  return count === 0 ? undefined : { count, names: [...names] };
}

/** Both together. */
export function allDropped(
  one: DroppedCharacters | undefined,
  other: DroppedCharacters | undefined,
): DroppedCharacters | undefined {
  if (!one || !other) return one ?? other;
  const names = [...new Set([...one.names, ...other.names])].slice(0, MAX_NAMES);
  return { count: one.count + other.count, names };
}

function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * Cleans a text without control characters of hidden ones: they are dropped (line separators become blanks), lone
 * surrogates are replaced, and piles of combining marks are cut at ten.
 */
export function dropHidden(text: string): string {
  if (isAscii(text)) return text;
  const shown = text
    .toWellFormed()
    .replace(HIDDEN, (character: string, index: number, whole: string) =>
      isPartOfWriting(character, whole, index)
        ? character
        : character === "\u2028" || character === "\u2029"
          ? " "
          : "",
    );
  return ANY_MARKS.test(shown) ? shown.replace(MANY_MARKS, "$1") : shown;
}
