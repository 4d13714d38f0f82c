/** Letters in the order of the keys of a US keyboard, by layout; the key of the same place has the Latin letter. */
const LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,./`";
const layouts: readonly string[] = [
  // Russian, Ukrainian and Belarusian (ЙЦУКЕН).
  "йцукенгшщзхъфывапролджэячсмитьбю.ё",
  "йцукенгшщзхїфівапролджєячсмитьбю.ґ",
  "йцукенгшўзх'фывапролджэячсмітьбю.ё",
  // Greek.
  ";ςερτυθιοπ[]ασδφγηξκλ΄'ζχψωβνμ,./`",
  // Hebrew (SI-1452).
  "/'קראטוןםפ][שדגכעיחלךף,זסבהנמצתץ.;",
];

const latinLetters = new Map<string, string>();
for (const layout of layouts)
  for (const [at, letter] of [...layout].entries())
    if (/\p{L}/u.test(letter) && !latinLetters.has(letter)) latinLetters.set(letter, LATIN[at] ?? letter);

/**
 * The Latin letter or sign on the key of a Cyrillic, Greek or Hebrew letter, where letters are commands; any other text
 * stays as it is. Upper case stays upper case.
 */
export function onLatinKey(text: string): string {
  const lower = text.toLowerCase();
  const latin = latinLetters.get(lower);
  if (latin === undefined) return text;
  return lower === text ? latin : latin.toUpperCase();
}
