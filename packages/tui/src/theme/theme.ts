import { type Hex, hexOf, luminance, type Rgb, readable, rgbOf } from "./contrast.ts";
import { type Palette, type ThemeName, themes } from "./themes.ts";

/** What a colour is for, with the hue that it has in every theme. Styles hold roles; they become colours when cells are written. */
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
} as const satisfies Record<string, Hue>;
export type Role = keyof typeof hueOf;
type Hue = Exclude<keyof Palette, "background">;

/** `rgb` where the terminal has 256 colours or more, `ansi` (0–15, the person's own palette) where it has 16. */
export type Paint = { readonly rgb: Hex; readonly ansi: number };
/** `isAnsi`: only the 16 colours of the terminal are used, whatever it can show. */
export type Theme = {
  readonly name: ThemeName;
  readonly paints: Readonly<Record<Role, Paint>>;
  readonly isAnsi: boolean;
};

/** What is known of the background of a terminal. */
export type BackgroundKind = "dark" | "light";

/** The bright half of the 16 colours is meant for dark backgrounds. */
const ansiOf: Readonly<Record<BackgroundKind, Readonly<Record<Hue, number>>>> = {
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

/** The least contrast of text (WCAG 2.2 AA), and of high-contrast themes (AAA). */
const READABLE = 4.5;
const WELL_READABLE = 7;
/** Lines need to be seen, not read. */
const VISIBLE = 1.5;
const MAX_DARK = 0.18;

export function backgroundKind(rgb: Rgb): BackgroundKind {
  return luminance(rgb) > MAX_DARK ? "light" : "dark";
}

/**
 * A theme on a terminal whose background is `background`, as far as that is known. Each text colour can be read there: one that
 * could not is made lighter or darker.
 */
export function themeOn(name: ThemeName, background?: Rgb): Theme {
  const { palette, isHighContrast = false, isAnsi = false } = themes[name];
  const behind = background ?? rgbOf(palette.background);
  const ansi = ansiOf[backgroundKind(behind)];
  const paintOf = (hue: Hue): Paint => {
    const ratio = hue === "border" ? VISIBLE : isHighContrast ? WELL_READABLE : READABLE;
    return { rgb: hexOf(readable(rgbOf(palette[hue]), behind, ratio)), ansi: ansi[hue] };
  };
  const paints = Object.fromEntries(Object.entries(hueOf).map(([role, hue]) => [role, paintOf(hue)]));
  return { name, isAnsi, paints: paints as Record<Role, Paint> };
}

/** Of a terminal that says nothing. */
export const darkTheme: Theme = themeOn("dark");

/** The colour of a role in the form that Ink's `color` and `backgroundColor` take. */
export function inkColour(theme: Theme, role: Role): string {
  return theme.paints[role].rgb;
}
