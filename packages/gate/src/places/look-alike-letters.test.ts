import { describe, expect, it } from "vitest";
import { lookAlikeLetters } from "./look-alike-letters.ts";

describe("a path with letters that look like others", () => {
  it.each([
    ["Cyrillic among Latin", "src/раckage.json", ["U+0440", "U+0430"]],
    ["one of it", "/w/.еnv", ["U+0435"]],
    ["a whole name of it", "src/сору", ["U+0441", "U+043E", "U+0440", "U+0443"]],
    ["Greek among Latin", "bin/nοde", ["U+03BF"]],
    ["a phonetic letter of the same script", "src/confiɡ.ts", ["U+0261"]],
    ["a phonetic vowel", "pɑckage.json", ["U+0251"]],
    ["full-width letters", "ｌｓ", ["U+FF4C", "U+FF53"]],
    ["a full-width dot", "src/．git", ["U+FF0E"]],
    ["a division slash", "src⁄x", []],
    ["letters of mathematics", "𝗴it", ["U+1D5F4"]],
  ])("is marked: %s", (_name, path, codes) => {
    expect(lookAlikeLetters(path)).toEqual(codes);
  });
  it.each([
    "src/package.json",
    "docs/größe.md",
    "docs/日本語.md",
    "документы/отчёт.txt",
    "документы/report.txt",
    "αβγ/δ.md",
    "naïve café.txt",
    "emoji 👩‍💻.md",
  ])("is not one in a script of its own: %s", (path) => {
    expect(lookAlikeLetters(path)).toEqual([]);
  });
});
