import type { themeNames } from "@harness/protocol/choices";
import type { Hex } from "./contrast.ts";

/** `background` is the one that the colours were chosen for, `soft` slightly muted text, `sky` the name of a type. */
const HUES = [
  "background",
  "muted",
  "comment",
  "border",
  "soft",
  "red",
  "orange",
  "yellow",
  "green",
  "teal",
  "cyan",
  "sky",
  "blue",
  "purple",
  "magenta",
] as const;
export type Palette = Readonly<Record<(typeof HUES)[number], Hex>>;

/** The name of a theme; `auto` chooses between `dark` and `light`. */
export type ThemeName = Exclude<(typeof themeNames)[number], "auto">;

type ThemeRow = { readonly palette: Palette; readonly isHighContrast?: true; readonly isAnsi?: true };

/** Fifteen colours in the order of `HUES`. */
function palette(colours: string): Palette {
  const list = colours.split(" ");
  return Object.fromEntries(HUES.map((hue, at) => [hue, `#${list[at]}`])) as unknown as Palette;
}

const dark = palette(
  "1a1b26 8a8f98 7f869e 4c5266 a9b1d6 f7768e ff9e64 e0af68 9ece6a 73daca 7dcfff 2ac3de 7aa2f7 bb9af7 ff5fd2",
);
const light = palette(
  "ffffff 5f6570 6a7282 c3c8d4 3b4261 c3224c a4520a 8a5a00 3f7314 0f766e 0b6b8f 0c6b7c 2557c7 7a3ec2 b5179e",
);

/** Every theme. The well-known ones use their authors' colours. */
export const themes: Readonly<Record<ThemeName, ThemeRow>> = {
  dark: { palette: dark },
  light: { palette: light },
  terminal: { palette: dark, isAnsi: true },
  // https://www.nordtheme.com/docs/colors-and-palettes
  nord: {
    palette: palette(
      "2e3440 81a1c1 7b88a1 4c566a d8dee9 bf616a d08770 ebcb8b a3be8c 8fbcbb 88c0d0 8fbcbb 81a1c1 b48ead b48ead",
    ),
  },
  // https://draculatheme.com/contribute
  dracula: {
    palette: palette(
      "282a36 9aa3c7 6272a4 44475a f8f8f2 ff5555 ffb86c f1fa8c 50fa7b 8be9fd 8be9fd 8be9fd bd93f9 ff79c6 ff79c6",
    ),
  },
  // https://github.com/morhetz/gruvbox
  "gruvbox-dark": {
    palette: palette(
      "282828 a89984 928374 504945 ebdbb2 fb4934 fe8019 fabd2f b8bb26 8ec07c 83a598 8ec07c 83a598 d3869b d3869b",
    ),
  },
  "gruvbox-light": {
    palette: palette(
      "fbf1c7 665c54 7c6f64 bdae93 3c3836 9d0006 af3a03 b57614 79740e 427b58 076678 427b58 076678 8f3f71 8f3f71",
    ),
  },
  // https://ethanschoonover.com/solarized/
  "solarized-dark": {
    palette: palette(
      "002b36 839496 657b83 0a4a59 93a1a1 dc322f cb4b16 b58900 859900 2aa198 2aa198 2aa198 268bd2 6c71c4 d33682",
    ),
  },
  "solarized-light": {
    palette: palette(
      "fdf6e3 657b83 839496 d3cbb7 586e75 dc322f cb4b16 b58900 859900 2aa198 2aa198 2aa198 268bd2 6c71c4 d33682",
    ),
  },
  // https://github.com/catppuccin/catppuccin
  "catppuccin-mocha": {
    palette: palette(
      "1e1e2e a6adc8 7f849c 585b70 cdd6f4 f38ba8 fab387 f9e2af a6e3a1 94e2d5 89dceb 74c7ec 89b4fa cba6f7 f5c2e7",
    ),
  },
  "catppuccin-latte": {
    palette: palette(
      "eff1f5 6c6f85 8c8fa1 bcc0cc 4c4f69 d20f39 fe640b df8e1d 40a02b 179299 04a5e5 209fb5 1e66f5 8839ef ea76cb",
    ),
  },
  // https://github.com/atom/one-dark-syntax
  "one-dark": {
    palette: palette(
      "282c34 9da5b4 7f848e 4b5263 abb2bf e06c75 d19a66 e5c07b 98c379 56b6c2 56b6c2 e5c07b 61afef c678dd c678dd",
    ),
  },
  // https://primer.style/primitives
  "github-light": {
    palette: palette(
      "ffffff 59636e 59636e d1d9e0 1f2328 cf222e 953800 9a6700 116329 0969da 0550ae 953800 0550ae 8250df bf3989",
    ),
  },
  "high-contrast-dark": {
    isHighContrast: true,
    palette: palette(
      "000000 d0d0d0 c0c0c0 909090 ffffff ff8a8a ffb45e ffe14d 7dff7d 6ffff0 7fe8ff 7fe8ff 9ec8ff e0b0ff ff9cf0",
    ),
  },
  "high-contrast-light": {
    isHighContrast: true,
    palette: palette(
      "ffffff 404040 4a4a4a 707070 000000 a00018 7a3b00 664600 0a5200 004f4a 00486a 00486a 0036a0 5a129c 8a006e",
    ),
  },
  // Okabe and Ito, https://jfly.uni-koeln.de/color/: added is blue, removed is vermilion.
  "colour-blind-dark": {
    palette: palette(
      "16181d a0a4ad 8d929c 4f545e d5d8de ff8a4c e69f00 f0e442 56b4e9 4cc3a5 8fd3ff 8fd3ff 7fb2ff cc9bd6 cc79a7",
    ),
  },
  "colour-blind-light": {
    palette: palette(
      "ffffff 5c6068 666b74 c2c6ce 2b2e34 b84300 8a5a00 6d6200 005f9e 00735a 00688f 00688f 1f4fb8 8a3d80 a3316f",
    ),
  },
};

export function isThemeName(name: string): name is ThemeName {
  return Object.hasOwn(themes, name);
}
