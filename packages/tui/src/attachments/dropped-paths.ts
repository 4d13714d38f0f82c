const IMAGE = /\.(?:png|jpe?g|gif|webp|bmp)$/i;
/** From a root, the home folder or a URL: a relative path may be the user's words. */
const ABSOLUTE = /^(?:\/|~\/|file:\/\/)/;
/** A longer paste is text. */
const MAX_LENGTH = 8_192;

/**
 * The picture files that a paste stands for: terminals paste the path of a dropped file, quoted, escaped, as a URL or
 * as it is. Undefined: it is text.
 */
export function droppedPictures(pasted: string): string[] | undefined {
  const text = pasted.trim();
  if (text === "" || text.length > MAX_LENGTH || !IMAGE.test(text.replace(/["']$/, ""))) return undefined;
  const words = wordsOf(text);
  if (words && words.length > 0 && words.every(isPicture)) return words;
  // Some terminals do not escape blanks: a path on a line is then the whole line.
  const lines = text.split("\n").map((line) => line.trim());
  return lines.every(isPicture) ? lines : undefined;
}

function isPicture(path: string): boolean {
  return ABSOLUTE.test(path) && IMAGE.test(path);
}

/** Splits words as a shell does; undefined if a quote is left open. */
function wordsOf(text: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? "";
    if (letter === "'" || letter === '"') {
      const end = text.indexOf(letter, at + 1);
      if (end < 0) return undefined;
      word = (word ?? "") + text.slice(at + 1, end);
      at = end;
    } else if (letter === "\\" && at + 1 < text.length) {
      at += 1;
      word = (word ?? "") + text[at];
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + letter;
  }
  return word === undefined ? words : [...words, word];
}
