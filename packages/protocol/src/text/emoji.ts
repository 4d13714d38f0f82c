const PICTURE_BEFORE = /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)$/u;
const PICTURE_AFTER = /^\p{Extended_Pictographic}/u;
const EMOJI_BEFORE = /\p{Emoji}$/u;
const KEYCAP_BEFORE = /[0-9#*]$/;

const JOINER = "\u200d";
const PICTURE_STYLE = "\ufe0f";
const KEYCAP = "\u20e3";

/** True if a hidden character is part of an emoji. */
export function isPartOfEmoji(character: string, text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 2), index);
  // Digits count as emoji because of keycaps.
  if (character === PICTURE_STYLE)
    return EMOJI_BEFORE.test(before) && (!KEYCAP_BEFORE.test(before) || text[index + 1] === KEYCAP);
  return character === JOINER && PICTURE_BEFORE.test(before) && PICTURE_AFTER.test(text.slice(index + 1, index + 3));
}
