import { stemmer } from "stemmer";
import { stopWords } from "./stop-words.ts";

/** Longer runs are keys, hashes and encoded data. */
const MAX_IDENTIFIER = 80;
const MAX_CACHED = 200_000;
/** Within a run that has more than ASCII. */
const OTHER_IDENTIFIER = /[\p{L}\p{N}\p{M}_$]+/gu;
/** The parts of camelCase, PascalCase, ALLCAPSWord, snake_case and digits. */
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
/** Scripts without spaces between words. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+$/u;

const known = new Map<string, readonly string[]>();

/**
 * The words of a text in lower case and stemmed (Porter), in order and as often as they occur. Identifiers are split,
 * and those of several parts are a word as a whole too: `getHTTPClient` has `get`, `http`, `client` and `gethttpclient`.
 * Texts of scripts without spaces become pairs of characters.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  const { length } = text;
  let start = -1;
  let isPlain = true;
  // A loop over character codes takes a fifth of the time of a regular expression.
  for (let at = 0; at <= length; at += 1) {
    const code = at < length ? text.charCodeAt(at) : 0;
    if (code > 0x7f || (inIdentifier[code] ?? 0) === 1) {
      if (start < 0) start = at;
      if (code > 0x7f) isPlain = false;
    } else if (start >= 0) {
      addRun(words, text.slice(start, at), isPlain);
      start = -1;
      isPlain = true;
    }
  }
  return words;
}

/** 1 for each character of an ASCII identifier. */
const inIdentifier = new Uint8Array(0x80).map((_, code) => (/[A-Za-z0-9_$]/.test(String.fromCharCode(code)) ? 1 : 0));

function addRun(words: string[], run: string, isPlain: boolean): void {
  const identifiers = isPlain ? [run] : (run.match(OTHER_IDENTIFIER) ?? []);
  for (const identifier of identifiers) for (const word of partsOf(identifier)) words.push(word);
}

function partsOf(identifier: string): readonly string[] {
  const cached = known.get(identifier);
  if (cached) return cached;
  const parts = splitWords(identifier);
  if (known.size >= MAX_CACHED) known.clear();
  known.set(identifier, parts);
  return parts;
}

function splitWords(identifier: string): string[] {
  if (identifier.length > MAX_IDENTIFIER) return [];
  if (/[^\0-\x7f]/.test(identifier)) return otherScript(identifier.toLowerCase());
  const parts = identifier.match(PART) ?? [];
  const words = parts
    .map((part) => part.toLowerCase())
    .filter(isWord)
    .map(stemOf);
  if (parts.length > 1) words.push(parts.join("").toLowerCase());
  return words;
}

function otherScript(word: string): string[] {
  if (!UNSPACED.test(word)) return [word];
  const characters = [...word];
  return characters.length === 1 ? [word] : characters.slice(1).map((each, index) => `${characters[index]}${each}`);
}

function isWord(part: string): boolean {
  return (part.length > 1 || /\d/.test(part)) && !stopWords.has(part);
}

/** Words with digits are names, such as `sha256`. */
function stemOf(word: string): string {
  return /\d/.test(word) ? word : stemmer(word);
}
