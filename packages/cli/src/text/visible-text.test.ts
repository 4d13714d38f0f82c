import { expect, it } from "vitest";
import { visibleText } from "./visible-text.ts";

it.each([
  ["plain text, Größe, 日本語, ok", "plain text, Größe, 日本語, ok"],
  ["a\u001b[31mb", "a␛[31mb"],
  ["a\nb\rc\td", "a\\nb\\rc⟶d"],
  ["x\u202ey\u200bz\u2066", "x⟨U+202E⟩y⟨U+200B⟩z⟨U+2066⟩"],
  ["a\u009bb\u007f", "a⟨U+009B⟩b⟨U+007F⟩"],
  ["\ud800", "⟨U+D800⟩"],
  ["a\u3164\u00a0b", "a⟨U+3164⟩⟨U+00A0⟩b"],
  [`a${" ".repeat(2_000)}b`, "a⟨2000 spaces⟩b"],
  ["\u{e0041}", "⟨U+E0041⟩"],
])("visible text of %j is %j", (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});
