/** Begins and ends text in its own direction (UAX #9, 2.4). They take no cells. */
export const RIGHT_TO_LEFT = "\u2067";
export const END_OF_ISOLATE = "\u2069";

const LETTER =
  "\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}\\p{Script=Adlam}\\p{Script=Samaritan}";
/** From the first to the last letter: digits, blanks and signs between two of them belong to the text. */
const RUN = new RegExp(`[${LETTER}](?:[^\\p{L}]*[${LETTER}])*`, "gu");

/** A text with each right-to-left part of it isolated from what is beside it. */
export function withIsolates(text: string): string {
  return text.replace(RUN, `${RIGHT_TO_LEFT}$&${END_OF_ISOLATE}`);
}
