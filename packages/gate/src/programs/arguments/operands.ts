/**
 * The operands of a program: neither options nor values of options. `valued`: options whose value is a separate word.
 */
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

/** Values of options, apart (`-o x`), attached (`-ox`) or behind `=`. */
export function valuesOf(words: readonly string[], option: RegExp | undefined): string[] {
  if (!option) return [];
  return words.flatMap((word, index) => {
    if (option.test(word)) return [words[index + 1] ?? ""];
    const [name = "", ...value] = word.split("=");
    if (word.startsWith("--")) return value.length > 0 && option.test(name) ? [value.join("=")] : [];
    return /^-[a-zA-Z]./.test(word) && option.test(word.slice(0, 2)) ? [word.slice(2)] : [];
  });
}

/** The first such value; undefined: the option is not given. */
export function firstValue(words: readonly string[], option: RegExp): string | undefined {
  return valuesOf(words, option)[0] || undefined;
}
