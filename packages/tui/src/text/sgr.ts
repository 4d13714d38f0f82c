import { BOLD, type Colour, DIM, INVERSE, ITALIC, STRIKE, type Style, styleOf, UNDERLINE } from "./style.ts";

const setBits: Readonly<Record<number, number>> = {
  1: BOLD,
  2: DIM,
  3: ITALIC,
  4: UNDERLINE,
  7: INVERSE,
  9: STRIKE,
  21: UNDERLINE,
};
const clearBits: Readonly<Record<number, number>> = {
  22: BOLD | DIM,
  23: ITALIC,
  24: UNDERLINE,
  27: INVERSE,
  29: STRIKE,
};

/** Parses `5;n` or `2;r;g;b` after 38 and 48; `next` is the index after it. */
function extended(codes: readonly number[], at: number): { colour: Colour | undefined; next: number } {
  const kind = codes[at];
  if (kind === 5) return { colour: palette(codes[at + 1]), next: at + 2 };
  if (kind !== 2) return { colour: undefined, next: at + 1 };
  return { colour: exact(codes.slice(at + 1, at + 4)), next: at + 4 };
}

function palette(index: number | undefined): number | undefined {
  return index !== undefined && index >= 0 && index < 256 ? index : undefined;
}

function exact(channels: readonly number[]): Colour | undefined {
  if (channels.length < 3 || channels.some((each) => !(each >= 0 && each < 256))) return undefined;
  return `#${channels.map((each) => each.toString(16).padStart(2, "0")).join("")}`;
}

/** `38:5:n`, `38:2:r:g:b`, `38:2::r:g:b` and `4:3`: a form with colons is one code. */
function withColons(field: string): { code: number; colour: Colour | undefined } {
  const [code = 0, kind = 0, ...rest] = field.split(":").map((each) => Number(each || "-1"));
  if (code === 4) return { code: kind === 0 ? 24 : 4, colour: undefined };
  return { code, colour: kind === 5 ? palette(rest[0]) : exact(rest.slice(-3)) };
}

/** The style after `CSI parameters m`. Blinking and concealing are ignored, so that all text is visible. */
export function applySgr(current: Style, parameters: string): Style {
  let { fg, bg, attributes } = current;
  const fields = parameters.split(";");
  const codes = fields.map(Number);
  for (let at = 0; at < codes.length; at++) {
    const field = fields[at] ?? "";
    const split = field.includes(":") ? withColons(field) : undefined;
    const code = split?.code ?? codes[at] ?? 0;
    if (code === 0) {
      fg = undefined;
      bg = undefined;
      attributes = 0;
    } else if (code === 38 || code === 48) {
      const { colour, next } = split ? { colour: split.colour, next: at + 1 } : extended(codes, at + 1);
      if (code === 38) fg = colour;
      else bg = colour;
      at = next - 1;
    } else if (code >= 30 && code <= 37) fg = code - 30;
    else if (code >= 90 && code <= 97) fg = code - 82;
    else if (code === 39) fg = undefined;
    else if (code >= 40 && code <= 47) bg = code - 40;
    else if (code >= 100 && code <= 107) bg = code - 92;
    else if (code === 49) bg = undefined;
    else attributes = (attributes | (setBits[code] ?? 0)) & ~(clearBits[code] ?? 0);
  }
  return styleOf(fg, bg, attributes);
}
