/** Scripts with letters that look like Latin ones. */
const foreign =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}]/u;
const latin = /\p{Script=Latin}/u;
/** Letters of these scripts that look like Latin ones (Unicode's confusables, as far as common fonts show them). */
const doubles = /^[аеорсухіјѕһԁԛԝѵӏАВЕЗІЈКМНОРСТУХЅԌԚԜαικνορυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսոհցլՍՏՕᎪᏴᏟᎬᎻᎫᏦᎷᎢᏙᎳᏃ]+$/u;
/** Latin letters from phonetic alphabets that look like other Latin letters. */
const phonetic = /[ɡɑǀᴄᴏᴠᴡᴢ]/u;
/** Runs of letters, with the marks on them. */
const runs = /[\p{L}\p{M}]+/gu;

/**
 * Characters of a text that the user may mistake for others: letters of another script among Latin letters or instead
 * of all of them, phonetic letters, and variant forms such as full-width characters. As codes, without duplicates.
 */
export function lookAlikeLetters(text: string): string[] {
  const found = new Set<string>();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
  if (/^[\u0000-\u007f]*$/.test(text)) return [];
  for (const sign of text) if (isForm(sign) || phonetic.test(sign)) found.add(codeOf(sign));
  for (const [run] of text.matchAll(runs)) {
    if (!foreign.test(run) || !(latin.test(run) || doubles.test(run))) continue;
    for (const sign of run) if (foreign.test(sign)) found.add(codeOf(sign));
  }
  return [...found].slice(0, MAX_CODES);
}

const MAX_CODES = 5;

/** True if it is a variant form of a plain character. Spaces and invisible characters are reported elsewhere. */
function isForm(sign: string): boolean {
  const plain = sign.normalize("NFKC");
  return plain !== sign && /^[!-~]+$/.test(plain);
}

/** The usual notation for a character that cannot be shown. */
export function codeOf(sign: string): string {
  return `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
