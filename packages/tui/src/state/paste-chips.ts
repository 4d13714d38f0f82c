/** Pastes of this size and more are shown as one chip. */
const CHIP_LINES = 8;
const CHIP_LENGTH = 2000;

/** The chip for a paste; undefined if it is short enough to be shown. */
export function chipFor(text: string, taken: ReadonlyMap<string, string>): string | undefined {
  // A final newline does not start another line.
  const lines = text.replace(/\n$/, "").split("\n").length;
  if (lines < CHIP_LINES && text.length < CHIP_LENGTH) return undefined;
  const size = lines > 1 ? `${lines} lines` : `${text.length} characters`;
  const plain = `[pasted ${size}]`;
  // Two pastes of one size need two names.
  return taken.has(plain) && taken.get(plain) !== text ? `[pasted ${size}, ${taken.size + 1}]` : plain;
}

/** A part of a text with every chip that it touches: half a chip is meaningless. */
export function wholeChips(
  text: string,
  chips: ReadonlyMap<string, string>,
  part: { readonly from: number; readonly to: number },
): { from: number; to: number } {
  let { from, to } = part;
  for (const chip of chips.keys()) {
    for (let at = text.indexOf(chip); at >= 0; at = text.indexOf(chip, at + 1)) {
      if (at >= to || at + chip.length <= from) continue;
      from = Math.min(from, at);
      to = Math.max(to, at + chip.length);
    }
  }
  return { from, to };
}

/** The text with each chip replaced by its full text. */
export function expandChips(text: string, chips: ReadonlyMap<string, string>): string {
  let out = text;
  // Split and join: `replace` would read `$&` in a paste as a pattern.
  for (const [chip, whole] of chips) out = out.split(chip).join(whole);
  return out;
}
