import { themeNames } from "@harness/protocol/choices";
import { describe, expect, it } from "vitest";
import { contrast, type Hex, rgbOf } from "../theme/contrast.ts";
import { leastContrast, type Role, type Tint, themeOn } from "../theme/theme.ts";
import type { ThemeName } from "../theme/themes.ts";
import { colourCodes, styleAt } from "./colour-level.ts";
import { INVERSE, style, UNDERLINE } from "./style.ts";

const names = themeNames.filter((name): name is ThemeName => name !== "auto" && name !== "terminal");
const tints: Tint[] = ["addedLine", "addedWord", "removedLine", "removedWord"];
const texts: (Role | undefined)[] = [
  undefined,
  "muted",
  "added",
  "removed",
  "syntaxKeyword",
  "syntaxString",
  "syntaxNumber",
  "syntaxComment",
  "syntaxFunction",
  "syntaxType",
  "syntaxVariable",
];
/** Backgrounds of common terminals. */
const backgrounds: (Hex | undefined)[] = [undefined, "#000000", "#ffffff", "#1e1e1e", "#300a24", "#fdf6e3"];

/** The colour of an SGR code of the cube or the greys. */
function indexRgb(index: number): [number, number, number] {
  if (index >= 232) return [8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10];
  const step = (n: number): number => (n === 0 ? 0 : 55 + n * 40);
  const rest = index - 16;
  return [step(Math.floor(rest / 36)), step(Math.floor(rest / 6) % 6), step(rest % 6)];
}

describe("text on the tint of a diff", () => {
  it.each(names)("%s: can be read, in all colours and in 256", (name) => {
    for (const background of backgrounds) {
      const theme = themeOn(name, background && rgbOf(background));
      for (const tint of tints) {
        for (const role of texts) {
          const plain = style({ ...(role && { fg: role }), bg: tint });
          const { fg } = styleAt(plain, theme, "truecolor");
          const ratio = contrast(rgbOf(String(fg)), rgbOf(theme.paints[tint].rgb));
          expect(ratio, `${role} on ${tint} on ${background}`).toBeGreaterThanOrEqual(leastContrast(theme));
          const few = styleAt(plain, theme, "256");
          const code = (colour: typeof fg, place: "fg" | "bg"): number =>
            Number(colourCodes(colour ?? 0, theme, "256", place).split(";")[2]);
          if (few.fg === undefined) throw new Error("The text has lost its colour.");
          const indexed = contrast(indexRgb(code(few.fg, "fg")), indexRgb(code(few.bg, "bg")));
          expect(indexed, `${role} on ${tint} on ${background}, 256`).toBeGreaterThanOrEqual(4.5);
        }
      }
    }
  });

  it.each(names)("%s: has tints that differ from each other and from the background", (name) => {
    const { paints } = themeOn(name);
    const colours = tints.map((tint) => paints[tint].rgb);
    expect(new Set(colours).size).toBe(4);
    const [line, word] = [rgbOf(paints.addedLine.rgb), rgbOf(paints.addedWord.rgb)];
    expect(contrast(line, word)).toBeGreaterThan(1.1);
  });

  it("says with its letters what the tint says where there are few colours", () => {
    const theme = themeOn("dark");
    const keyword = style({ fg: "syntaxKeyword", bg: "addedLine", bold: true });
    expect(styleAt(keyword, theme, "16")).toEqual({ fg: "added", bg: undefined, attributes: keyword.attributes });
    const word = style({ fg: "syntaxKeyword", bg: "removedWord" });
    expect(styleAt(word, theme, "none")).toEqual({ fg: "removed", bg: undefined, attributes: INVERSE });
    expect(styleAt(word, themeOn("terminal"), "truecolor")).toMatchObject({ fg: "removed", attributes: INVERSE });
    expect(styleAt(word, theme, "256")).toMatchObject({ bg: "removedLine", attributes: UNDERLINE });
    expect(styleAt(style({ fg: "muted", bg: "addedLine" }), theme, "16")).toMatchObject({ fg: "muted" });
  });

  it("leaves all other styles as they are", () => {
    const look = style({ fg: "accent", bg: 4 });
    expect(styleAt(look, themeOn("dark"), "16")).toMatchObject({ fg: "accent", bg: 4, attributes: 0 });
  });
});
