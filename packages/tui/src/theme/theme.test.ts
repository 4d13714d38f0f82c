import { themeNames } from "@harness/protocol/choices";
import { describe, expect, it } from "vitest";
import { contrast, type Hex, rgbOf } from "./contrast.ts";
import { backgroundKind, isTint, OWN_COLOUR, type Role, themeOn } from "./theme.ts";
import { isThemeName, type ThemeName, themes } from "./themes.ts";

const names = themeNames.filter((name): name is ThemeName => name !== "auto");
const isLine = (role: Role) => role === "border";
/** Backgrounds of common terminals, and the grey that is hardest to write on. */
const backgrounds: Hex[] = ["#000000", "#ffffff", "#1e1e1e", "#0c0c0c", "#300a24", "#fdf6e3", "#eeeeee", "#777777"];

function contrasts(name: ThemeName, background: Hex | undefined): [Role, number][] {
  const behind = rgbOf(background ?? themes[name].palette.background);
  const { paints } = themeOn(name, background && behind);
  return (Object.entries(paints) as [Role, { rgb: Hex }][])
    .filter(([role]) => !isTint(role))
    .map(([role, { rgb }]) => [role, contrast(rgbOf(rgb), behind)]);
}

describe("a theme", () => {
  it("a theme has a row for each name of the setting", () => {
    expect(Object.keys(themes).sort()).toEqual([...names].sort());
    expect(isThemeName("auto")).toBe(false);
  });

  it.each(names)(
    "%s: each text has a contrast of at least 4.5 to its own background and to that of any terminal",
    (name) => {
      for (const background of [undefined, ...backgrounds]) {
        const faint = contrasts(name, background).filter(([role, ratio]) => ratio < (isLine(role) ? 1.5 : 4.5));
        expect(faint, background).toEqual([]);
      }
    },
  );

  it.each(["high-contrast-dark", "high-contrast-light"] as const)("%s has at least 7 on its own background", (name) => {
    expect(contrasts(name, undefined).filter(([role, ratio]) => ratio < 7 && !isLine(role))).toEqual([]);
  });

  it("a theme keeps the colours of its authors where they can be read", () => {
    expect(themeOn("dark").paints.success.rgb).toBe("#9ece6a");
    expect(themeOn("nord").paints.warning.rgb).toBe("#ebcb8b");
  });

  it("a theme uses the dark half of 16 colours on a light background", () => {
    expect(themeOn("dark", undefined, {}, { isUnknown: true }).paints.success.ansi).toBe(2);
    expect(themeOn("dark", undefined, {}, { isUnknown: true }).paints.syntaxVariable.ansi).toBe(OWN_COLOUR);
    expect(themeOn("light").paints.success.ansi).toBe(2);
    expect(themeOn("dark").paints.success.ansi).toBe(10);
    expect(themeOn("dark", rgbOf("#ffffff")).paints.success.ansi).toBe(2);
  });

  it("what was added and what was removed differ for everybody in the colour-blind themes", () => {
    for (const name of ["colour-blind-dark", "colour-blind-light"] as const) {
      const { added, removed } = themeOn(name).paints;
      const [red, blue] = [rgbOf(removed.rgb), rgbOf(added.rgb)];
      expect(red[0] - red[2]).toBeGreaterThan(100);
      expect(blue[2] - blue[0]).toBeGreaterThan(100);
    }
  });
});

describe("contrast", () => {
  // Values from https://webaim.org/resources/contrastchecker/
  it.each<[Hex, Hex, number]>([
    ["#000000", "#ffffff", 21],
    ["#ffffff", "#ffffff", 1],
    ["#767676", "#ffffff", 4.54],
    ["#9ece6a", "#ffffff", 1.83],
  ])("of %s and %s is %d", (a, b, ratio) => {
    expect(contrast(rgbOf(a), rgbOf(b))).toBeCloseTo(ratio, 1);
    expect(contrast(rgbOf(b), rgbOf(a))).toBeCloseTo(ratio, 1);
  });

  it("knows dark from light backgrounds", () => {
    expect(
      (["#000000", "#1a1b26", "#002b36", "#ffffff", "#fdf6e3"] as const).map((hex) => backgroundKind(rgbOf(hex))),
    ).toEqual(["dark", "dark", "dark", "light", "light"]);
  });
});
