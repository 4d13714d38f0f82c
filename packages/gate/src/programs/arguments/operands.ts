/** The operands of a program: neither options nor their values. `valued`: options whose value is a separate word. */
export function operandsOf(words: readonly string[], valued?: RegExp): string[] {
  const found: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") return [...found, ...words.slice(at + 1)];
    if (!/^-./.test(word)) found.push(word);
    else if (valued?.test(word)) at += 1;
  }
  return found;
}

/**
 * Option names, separated by blanks: `-o` a letter, which may be combined with others and have its value attached;
 * `--output`, which may be abbreviated as in GNU programs; `-out`, a word of its own.
 */
export type OptionSpec = string;

/** How a program reads letters: after the `valued` ones the rest of the word is a value. */
type Letters = { valued?: RegExp | undefined; wordOptions?: true | undefined };

/**
 * Values of options, as a separate word (`-o x`), attached (`-ox`, `-uox`) or after `=`. Rather too many than too few.
 */
export function valuesOf(words: readonly string[], names: OptionSpec | undefined, letters: Letters = {}): string[] {
  if (names === undefined) return [];
  const wanted = names.split(" ");
  return words.flatMap((word, index) => {
    for (const name of wanted) {
      const value = attachedTo(word, name, letters);
      if (value !== undefined) return [value === "" ? (words[index + 1] ?? "") : value];
    }
    return [];
  });
}

/** The first such value; undefined: the option is not given. */
export function firstValue(words: readonly string[], spec: OptionSpec): string | undefined {
  return valuesOf(words, spec)[0] || undefined;
}

/** True if the word is the long option, complete or abbreviated, with or without a value. */
export function isLong(word: string, name: string): boolean {
  const [given = ""] = word.split("=");
  return given.length > 2 && name.startsWith(given);
}

/** The value attached to the option in the same word, possibly empty; undefined: the word is not the option. */
function attachedTo(word: string, name: string, { valued, wordOptions }: Letters): string | undefined {
  if (word === name) return "";
  if (word.startsWith(`${name}=`)) return word.slice(name.length + 1);
  if (name.startsWith("--")) return isLong(word, name) ? word.slice(`${word}=`.indexOf("=") + 1) : undefined;
  if (name.length > 2 || !/^-[a-zA-Z0-9]/.test(word)) return undefined;
  for (const [at, letter] of [...word].entries()) {
    if (at === 0) continue;
    if (letter === name[1]) return word.slice(at + 1);
    if (wordOptions || !/[a-zA-Z0-9]/.test(letter) || valued?.test(`-${letter}`)) return undefined;
  }
  return undefined;
}
