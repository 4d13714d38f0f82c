import { describe, expect, it } from "vitest";
import { contrast, rgbOf } from "../theme/contrast.ts";
import { ThemeChoice } from "./theme-choice.ts";

function choice(COLORFGBG?: string) {
  const seen: string[] = [];
  let asked = 0;
  const env = COLORFGBG === undefined ? {} : { COLORFGBG };
  const themes = new ThemeChoice(env, { changed: ({ name }) => seen.push(name), askBackground: () => (asked += 1) });
  return { themes, seen, asked: () => asked };
}
const WHITE = "\u001b]11;rgb:ffff/ffff/ffff\u001b\\";
const BLACK = "\u001b]11;rgb:00/00/00\u0007";

describe("the theme of a window", () => {
  it.each([
    [undefined, "dark"],
    ["15;0", "dark"],
    ["0;15", "light"],
    ["0;default;15", "light"],
    ["12;8", "dark"],
    ["0;7", "light"],
    ["default;default", "dark"],
  ])("COLORFGBG=%s gives %s until the terminal has answered", (value, name) => {
    expect(choice(value).themes.theme.name).toBe(name);
  });

  it("the reply of the terminal counts more, in any of its forms, and again when the terminal has changed", () => {
    const { themes, seen, asked } = choice("15;0");
    themes.take(WHITE);
    themes.take(WHITE);
    themes.take("\u001b]11;rgba:0000/0000/0000/ffff\u0007");
    themes.take("\u001b[?997;2n");
    expect(asked()).toBe(1);
    themes.take(WHITE);
    themes.take(BLACK);
    themes.take("\u001b]10;rgb:ffff/ffff/ffff\u0007");
    themes.take("\u001b]11;nonsense\u0007");
    expect(seen).toEqual(["light", "dark", "light", "dark"]);
  });

  it("a chosen theme stays chosen on every background, and can be read there", () => {
    const { themes, seen } = choice();
    themes.choose("nord");
    const own = themes.theme.paints.success.rgb;
    themes.take(WHITE);
    expect(themes.theme.name).toBe("nord");
    expect(themes.theme.paints.success.rgb).not.toBe(own);
    themes.choose("auto");
    themes.choose("auto");
    themes.choose("of another version");
    themes.choose(undefined);
    expect(seen).toEqual(["nord", "nord", "light", "light", "light"]);
  });

  it("has the person's own colours in place of some of its own, which can be read on every background", () => {
    const { themes, seen } = choice();
    themes.choose("nord");
    const { accent, success } = themes.theme.paints;
    themes.choose("nord", [
      "accent=#ff8800",
      "success=nonsense",
      "addedLine=#000000",
      "code=#111111",
      "accent=#FFAA00",
    ]);
    const { paints } = themes.theme;
    expect([paints.accent.rgb, paints.success, paints.accent.ansi]).toEqual(["#ffaa00", success, accent.ansi]);
    // Too dark for a dark background.
    expect(contrast(rgbOf(paints.code.rgb), rgbOf("#2e3440"))).toBeGreaterThanOrEqual(4.5);
    themes.take(WHITE);
    expect(contrast(rgbOf(themes.theme.paints.accent.rgb), rgbOf("#ffffff"))).toBeGreaterThanOrEqual(4.5);
    themes.choose("nord", []);
    expect(seen).toEqual(["nord", "nord", "nord", "nord"]);
  });
});
