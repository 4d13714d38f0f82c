import { contrast, hexOf, type Rgb, readable, rgbOf } from "../theme/contrast.ts";
import { isTint, leastContrast, OWN_COLOUR, type Paint, type Theme, type Tint, tintForms } from "../theme/theme.ts";
import { type Colour, INVERSE, type Style, UNDERLINE } from "./style.ts";

/** How many colours the terminal gets. */
export type ColourLevel = "none" | "16" | "256" | "truecolor";
export type ColourEnv = Readonly<Record<string, string | undefined>>;

const forced: Readonly<Record<string, ColourLevel>> = {
  "0": "none",
  false: "none",
  "1": "16",
  "2": "256",
  "3": "truecolor",
};

/** The colour level of a terminal, decided once. NO_COLOR wins over everything except FORCE_COLOR. */
export function colourLevel(env: ColourEnv): ColourLevel {
  const force = env.FORCE_COLOR;
  const term = env.TERM ?? "";
  if (force !== undefined) {
    const level = forced[force];
    if (level) return level;
  } else if (env.NO_COLOR || term === "dumb") return "none";
  if (
    /^(truecolor|24bit)$/i.test(env.COLORTERM ?? "") ||
    env.WT_SESSION ||
    /-direct$|kitty|ghostty|alacritty/.test(term)
  ) {
    return "truecolor";
  }
  // Terminals of the seventies and eighties (vt100, vt220), and monochrome descriptions.
  if (/^vt\d|-m(?:ono)?$/.test(term)) return "none";
  return /256/.test(term) ? "256" : "16";
}

/** The 6 steps of the colour cube of the 256-colour palette. */
const STEPS = [0, 95, 135, 175, 215, 255];
/** xterm's defaults for the first 16; the user's own may differ, which cannot be known. */
const BASE16 = [
  0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00,
  0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
];

function distance(a: Rgb, b: Rgb): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}

function nearestStep(channel: number): number {
  let best = 0;
  for (let index = 1; index < STEPS.length; index++) {
    if (Math.abs((STEPS[index] ?? 0) - channel) < Math.abs((STEPS[best] ?? 0) - channel)) best = index;
  }
  return best;
}

/** The closest entry of the 256-colour palette (16 and up). */
function nearest256(rgb: Rgb): number {
  const [r, g, b] = [nearestStep(rgb[0]), nearestStep(rgb[1]), nearestStep(rgb[2])];
  const cube: Rgb = [STEPS[r] ?? 0, STEPS[g] ?? 0, STEPS[b] ?? 0];
  const grey = Math.max(0, Math.min(23, Math.round(((rgb[0] + rgb[1] + rgb[2]) / 3 - 8) / 10)));
  const level = 8 + grey * 10;
  return distance(rgb, [level, level, level]) < distance(rgb, cube) ? 232 + grey : 16 + 36 * r + 6 * g + b;
}

/** The colours of an entry of the 256-colour palette. */
function paletteRgb(index: number): Rgb {
  if (index >= 232) return [8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10];
  if (index < 16) return rgbOf(`#${(BASE16[index] ?? 0).toString(16).padStart(6, "0")}`);
  const rest = index - 16;
  return [STEPS[Math.floor(rest / 36)] ?? 0, STEPS[Math.floor(rest / 6) % 6] ?? 0, STEPS[rest % 6] ?? 0];
}

function nearest16(rgb: Rgb): number {
  let best = 0;
  for (let index = 1; index < 16; index++) {
    if (distance(rgb, paletteRgb(index)) < distance(rgb, paletteRgb(best))) best = index;
  }
  return best;
}

/** The text colour, or the background. */
type ColourLayer = "fg" | "bg";

function base16(index: number, layer: ColourLayer): string {
  return String(index < 8 ? (layer === "bg" ? 40 : 30) + index : (layer === "bg" ? 92 : 82) + index);
}

/** A role's paint, also for its exact colour: Ink returns roles as colours. */
function paintOf(colour: string, theme: Theme): Paint | undefined {
  if (!colour.startsWith("#")) return theme.paints[colour as keyof Theme["paints"]];
  return Object.values(theme.paints).find(({ rgb }) => rgb === colour);
}

/** The SGR codes of a colour at this level; "" if it has none. */
export function colourCodes(colour: Colour, theme: Theme, most: ColourLevel, layer: ColourLayer): string {
  if (most === "none") return "";
  const level = theme.isAnsi ? "16" : most;
  const lead = layer === "bg" ? 48 : 38;
  if (typeof colour === "number") {
    if (colour < 16) return base16(colour, layer);
    return level === "16" ? base16(nearest16(paletteRgb(colour)), layer) : `${lead};5;${colour}`;
  }
  const paint = paintOf(colour, theme);
  if (level === "16") {
    const ansi = paint ? paint.ansi : nearest16(rgbOf(colour));
    return ansi === OWN_COLOUR ? "" : base16(ansi, layer);
  }
  const rgb = rgbOf(paint ? paint.rgb : colour);
  return level === "256" ? `${lead};5;${paint?.indexed ?? nearest256(rgb)}` : `${lead};2;${rgb[0]};${rgb[1]};${rgb[2]}`;
}

const LIGHT_TEXT = "#e6e6e6";
const DARK_TEXT = "#1f2328";

/**
 * A style at a colour level. Text on a tint is made lighter or darker if it could not be read there. If there are too
 * few colours for tints, the text colour expresses the tint.
 */
export function styleAt(
  { fg, bg, attributes }: Pick<Style, "fg" | "bg" | "attributes">,
  theme: Theme,
  most: ColourLevel,
): Pick<Style, "fg" | "bg" | "attributes"> {
  if (!isTint(bg)) return { fg, bg, attributes };
  const { role, isWord } = tintForms[bg];
  const level = theme.isAnsi && most !== "none" ? "16" : most;
  if (level === "none" || level === "16") {
    return { fg: fg === "muted" ? fg : role, bg: undefined, attributes: attributes | (isWord ? INVERSE : 0) };
  }
  if (level === "256") {
    const line = role === "added" ? "addedLine" : "removedLine";
    return { fg: textOn(fg, line, theme, level), bg: line, attributes: attributes | (isWord ? UNDERLINE : 0) };
  }
  return { fg: textOn(fg, bg, theme, level), bg, attributes };
}

function textOn(fg: Colour | undefined, tint: Tint, theme: Theme, level: ColourLevel): Colour | undefined {
  const { rgb, indexed = 0 } = theme.paints[tint];
  const behind = level === "256" ? paletteRgb(indexed) : rgbOf(rgb);
  // The terminal's own text colour was chosen for its background, not for this one.
  const isDark = contrast(rgbOf(LIGHT_TEXT), behind) > contrast(rgbOf(DARK_TEXT), behind);
  const wanted = fg === undefined ? (isDark ? LIGHT_TEXT : DARK_TEXT) : fg;
  const text = typeof wanted === "string" ? (paintOf(wanted, theme)?.rgb ?? wanted) : undefined;
  if (text === undefined) return fg;
  const least = leastContrast(theme);
  if (level !== "256") return hexOf(readable(rgbOf(text), behind, least));
  // The nearest entry of the palette may be harder to read than the colour itself.
  for (let ratio = least; ratio < least * 2; ratio *= 1.1) {
    const entry = nearest256(readable(rgbOf(text), behind, ratio));
    if (contrast(paletteRgb(entry), behind) >= least) return entry;
  }
  return undefined;
}
