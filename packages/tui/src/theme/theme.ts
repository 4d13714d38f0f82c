import type { ColourRole } from "@harness/protocol";
import { contrast, type Hex, hexOf, luminance, mixed, type Rgb, readable, rgbOf } from "./contrast.ts";
import { type Palette, type ThemeName, themes } from "./themes.ts";

/**
 * The colour roles, with the hue of each in every theme. Styles contain roles, which become colours when cells are
 * written.
 */
const hueOf = {
  muted: "muted",
  accent: "blue",
  user: "cyan",
  success: "green",
  warning: "yellow",
  error: "red",
  info: "cyan",
  border: "border",
  heading: "blue",
  link: "teal",
  code: "orange",
  quote: "soft",
  added: "green",
  removed: "red",
  hunk: "cyan",
  hidden: "magenta",
  syntaxKeyword: "purple",
  syntaxString: "green",
  syntaxNumber: "orange",
  syntaxComment: "comment",
  syntaxFunction: "blue",
  syntaxType: "sky",
  syntaxVariable: "soft",
} as const satisfies Record<ColourRole, Hue>;
type Hue = Exclude<keyof Palette, "background">;

/** Backgrounds behind text, with the share of the hue that keeps text on them readable. */
const tintOf = {
  addedLine: { hue: "green", share: 0.16 },
  addedWord: { hue: "green", share: 0.36 },
  removedLine: { hue: "red", share: 0.16 },
  removedWord: { hue: "red", share: 0.36 },
} as const satisfies Record<string, { hue: "green" | "red"; share: number }>;
export type Tint = keyof typeof tintOf;
export type Role = keyof typeof hueOf | Tint;

export function isTint(colour: unknown): colour is Tint {
  return typeof colour === "string" && Object.hasOwn(tintOf, colour);
}

/** The meaning of a tint, for terminals with too few colours for it. */
export const tintForms: Readonly<Record<Tint, { role: "added" | "removed"; isWord: boolean }>> = {
  addedLine: { role: "added", isWord: false },
  addedWord: { role: "added", isWord: true },
  removedLine: { role: "removed", isWord: false },
  removedWord: { role: "removed", isWord: true },
};

/** The tints of the 256-colour palette, which has few dark and few light colours. */
const indexedTint = {
  dark: { green: 22, red: 52, blue: 17 },
  light: { green: 194, red: 224, blue: 189 },
} as const;

/**
 * `rgb` for terminals with 256 colours or more, `ansi` (0–15, the user's own palette) for those with 16. `indexed`: the
 * entry of the 256-colour palette, if it is not the nearest one.
 */
export type Paint = { readonly rgb: Hex; readonly ansi: number; readonly indexed?: number };
/** `isAnsi`: only the terminal's 16 colours are used, whatever it can show. */
export type Theme = {
  readonly name: ThemeName;
  readonly paints: Readonly<Record<Role, Paint>>;
  readonly isAnsi: boolean;
};

/** The known kinds of terminal backgrounds. */
export type BackgroundKind = "dark" | "light";

/** The terminal's own text colour, in place of one of its 16. */
export const OWN_COLOUR = -1;

/** The bright half of the 16 colours is meant for dark backgrounds; on an unknown one neither it nor white can be read. */
const ansiOf: Readonly<Record<BackgroundKind | "unknown", Readonly<Record<Hue, number>>>> = {
  unknown: {
    muted: 8,
    comment: 8,
    border: 8,
    soft: OWN_COLOUR,
    red: 1,
    orange: 3,
    yellow: 3,
    green: 2,
    teal: 6,
    cyan: 6,
    sky: 6,
    blue: 4,
    purple: 5,
    magenta: 5,
  },
  dark: {
    muted: 8,
    comment: 8,
    border: 8,
    soft: 7,
    red: 9,
    orange: 3,
    yellow: 11,
    green: 10,
    teal: 6,
    cyan: 14,
    sky: 14,
    blue: 12,
    purple: 13,
    magenta: 13,
  },
  light: {
    muted: 8,
    comment: 8,
    border: 8,
    soft: 0,
    red: 1,
    orange: 3,
    yellow: 3,
    green: 2,
    teal: 6,
    cyan: 6,
    sky: 6,
    blue: 4,
    purple: 5,
    magenta: 5,
  },
};

/** The minimum contrast of text (WCAG 2.2 AA), and of high-contrast themes (AAA). */
const READABLE = 4.5;
const WELL_READABLE = 7;
/** Lines need to be seen, not read. */
const VISIBLE = 1.5;
const MAX_DARK = 0.18;
/**
 * How much more contrast than text needs white or black must have to a tint, so that other colours are readable there,
 * too.
 */
const ROOM = 1.25;
const LEAST_SHARE = 0.08;

export function backgroundKind(rgb: Rgb): BackgroundKind {
  return luminance(rgb) > MAX_DARK ? "light" : "dark";
}

/** The user's own colours, by role. */
export type OwnColours = Readonly<Partial<Record<ColourRole, Hex>>>;

/** Parses entries such as `accent=#ff8800`; invalid ones are skipped, and the last one of a role counts. */
export function ownColours(entries: readonly string[]): OwnColours {
  const pairs = entries.map((entry) => /^(\w+)=(#[\da-f]{6})$/i.exec(entry)?.slice(1) ?? []);
  return Object.fromEntries(pairs.filter(([role]) => role !== undefined && Object.hasOwn(hueOf, role)));
}

/**
 * A theme adapted to the terminal's background, if it is known, with the user's own colours. Every text colour is
 * readable there: others are made lighter or darker. `isUnknown`: the background may be light as well.
 */
export function themeOn(
  name: ThemeName,
  background?: Rgb,
  own: OwnColours = {},
  { isUnknown = false }: { isUnknown?: boolean } = {},
): Theme {
  const { palette, isHighContrast = false, isAnsi = false } = themes[name];
  const behind = background ?? rgbOf(palette.background);
  const ansi = ansiOf[isUnknown ? "unknown" : backgroundKind(behind)];
  const paintOf = (hue: Hue, colour = palette[hue]): Paint => {
    const ratio = hue === "border" ? VISIBLE : isHighContrast ? WELL_READABLE : READABLE;
    return { rgb: hexOf(readable(rgbOf(colour), behind, ratio)), ansi: ansi[hue] };
  };
  const tintPaint = ({ hue, share }: { hue: "green" | "red"; share: number }): Paint => {
    const [, green, blue] = rgbOf(palette[hue]);
    // Added lines are blue if red and green are hard to distinguish.
    const shown = hue === "green" && blue > green ? "blue" : hue;
    const indexed = indexedTint[backgroundKind(behind)][shown];
    const least = isHighContrast ? WELL_READABLE : READABLE;
    return { rgb: hexOf(tint(behind, rgbOf(palette[hue]), share, least)), ansi: ansi[hue], indexed };
  };
  const paints = Object.fromEntries([
    ...Object.entries(hueOf).map(([role, hue]) => [role, paintOf(hue, own[role as ColourRole])]),
    ...Object.entries(tintOf).map(([role, tint]) => [role, tintPaint(tint)]),
  ]);
  return { name, isAnsi, paints: paints as Record<Role, Paint> };
}

/** As much of a hue in a background as keeps text of any hue readable. */
function tint(background: Rgb, hue: Rgb, share: number, least: number): Rgb {
  const roomy = least * ROOM;
  for (let part = share; part > LEAST_SHARE; part -= LEAST_SHARE / 2) {
    const made = mixed(background, hue, part);
    if (Math.max(contrast(made, rgbOf("#ffffff")), contrast(made, rgbOf("#000000"))) >= roomy) return made;
  }
  return mixed(background, hue, LEAST_SHARE);
}

/** The minimum contrast between text of this theme and its background. */
export function leastContrast({ name }: Theme): number {
  return themes[name].isHighContrast ? WELL_READABLE : READABLE;
}

/** For a terminal that does not report its background. */
export const darkTheme: Theme = themeOn("dark");

/** The colour of a role in the form that Ink's `color` and `backgroundColor` take. */
export function inkColour(theme: Theme, role: Role): string {
  return theme.paints[role].rgb;
}
