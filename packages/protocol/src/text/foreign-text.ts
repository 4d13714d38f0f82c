/** Characters that some readers take for a new line, or that no reader shows. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/u;
const ALL_UNSEEN = new RegExp(UNSEEN.source, "gu");
const LINE_BREAK = /[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * A name from a disk or another server on one line, for a model: as it is, or quoted as in JSON if it contains
 * invisible characters, so that a call can still name it.
 */
export function shownName(name: string): string {
  return UNSEEN.test(name) ? quotedName(name) : name;
}

/** A name within a sentence, which spaces and brackets would make ambiguous. */
export function nameInWords(name: string): string {
  return UNSEEN.test(name) || /[\s"[\]<>#]/u.test(name) ? quotedName(name) : name;
}

function quotedName(name: string): string {
  return JSON.stringify(name).replace(ALL_UNSEEN, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
}

/** Marks where foreign text ends. `opening` describes how far it goes, as part of a sentence. */
export type TextMark = { opening: string; ending: string };

/**
 * A mark for a text that neither the user nor harness wrote: the text does not contain it, whatever it is, so that
 * nothing in it looks like what follows. It depends on the text alone: the same text has the same mark in every
 * request.
 */
export function textMark(text: string): TextMark {
  let mark = "";
  for (let seed = 0; mark === "" || text.includes(mark); seed += 1) mark = sumOf(text, seed);
  return { opening: `up to the mark ${mark}`, ending: `[Mark ${mark}: end]` };
}

/**
 * The text with its mark. `whose`: its source, such as `the words of agent-1`. A short text on one line needs no mark.
 */
export function markedText(whose: string, text: string): string {
  if (!LINE_BREAK.test(text) && !/[[\]]/.test(text)) return text;
  const { opening, ending } = textMark(text);
  return `[${whose}, ${opening}, not the person's:]\n${text}\n${ending}`;
}

/** FNV-1a in 32 bits: not a secret, only short and different for every seed. */
function sumOf(text: string, seed: number): string {
  let sum = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, "0");
}
