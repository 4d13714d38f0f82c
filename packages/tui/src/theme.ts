/**
 * Colours by role. A role is named by its meaning; a theme gives it a colour. Styles hold roles, and
 * roles become colours only when cells are written, so another theme needs no new wrapping.
 */
const roles = [
  "muted",
  "accent",
  "user",
  "success",
  "warning",
  "error",
  "info",
  "border",
  "heading",
  "link",
  "code",
  "quote",
  "added",
  "removed",
  "hunk",
  "selection",
  "hidden",
  "syntaxKeyword",
  "syntaxString",
  "syntaxNumber",
  "syntaxComment",
  "syntaxFunction",
  "syntaxType",
  "syntaxVariable",
] as const;
export type Role = (typeof roles)[number];

/** `rgb` where the terminal has 256 colours or more, `ansi` (0–15, the person's own palette) where it has 16. */
export type Paint = { readonly rgb: `#${string}`; readonly ansi: number };
export type Theme = { readonly name: string; readonly paints: Readonly<Record<Role, Paint>> };

const dark: Record<Role, Paint> = {
  muted: { rgb: "#8a8f98", ansi: 8 },
  accent: { rgb: "#7aa2f7", ansi: 12 },
  user: { rgb: "#7dcfff", ansi: 14 },
  success: { rgb: "#9ece6a", ansi: 10 },
  warning: { rgb: "#e0af68", ansi: 11 },
  error: { rgb: "#f7768e", ansi: 9 },
  info: { rgb: "#7dcfff", ansi: 14 },
  border: { rgb: "#4c5266", ansi: 8 },
  heading: { rgb: "#7aa2f7", ansi: 12 },
  link: { rgb: "#73daca", ansi: 6 },
  code: { rgb: "#ff9e64", ansi: 3 },
  quote: { rgb: "#a9b1d6", ansi: 7 },
  added: { rgb: "#9ece6a", ansi: 10 },
  removed: { rgb: "#f7768e", ansi: 9 },
  hunk: { rgb: "#7dcfff", ansi: 6 },
  selection: { rgb: "#33467c", ansi: 4 },
  hidden: { rgb: "#ff5fd2", ansi: 13 },
  syntaxKeyword: { rgb: "#bb9af7", ansi: 13 },
  syntaxString: { rgb: "#9ece6a", ansi: 10 },
  syntaxNumber: { rgb: "#ff9e64", ansi: 11 },
  syntaxComment: { rgb: "#7f869e", ansi: 8 },
  syntaxFunction: { rgb: "#7aa2f7", ansi: 12 },
  syntaxType: { rgb: "#2ac3de", ansi: 14 },
  syntaxVariable: { rgb: "#c0caf5", ansi: 7 },
};

export const darkTheme: Theme = { name: "dark", paints: dark };

/** The colour of a role in the form that Ink's `color` and `backgroundColor` take. */
export function inkColour(theme: Theme, role: Role): string {
  return theme.paints[role].rgb;
}
