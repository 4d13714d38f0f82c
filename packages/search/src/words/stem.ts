import { stemmer } from "stemmer";

const MAX_LENGTH = 24;

/**
 * The stem of a lower-case word: `connections` and `connected` become `connect`. Words with other than English letters
 * stay: digits are not grammar, and Porter's rules are of one language.
 */
export function stemOf(word: string): string {
  // A longer word is hardly English, and the rules take exponential time for some.
  return word.length < 3 || word.length > MAX_LENGTH || !/^[a-z]+$/.test(word) ? word : stemmer(word);
}
