import { describe, expect, it } from "vitest";
import { formOf, isPlainText, isSameText, savedBytes, textInForm } from "./buffer-text.ts";

const BOM = "\uFEFF";

describe("an editor's text is saved", () => {
  it.each([
    ["as it is", "one\ntwo\n", "one\n", "one\ntwo\n"],
    ["with nothing changed but its form", "one\ntwo\n", `${BOM}one\r\ntwo\r\n`, `${BOM}one\r\ntwo\r\n`],
    ["with the mark that the file has", "new\n", `${BOM}old\n`, `${BOM}new\n`],
    ["with one mark only", `${BOM}new\n`, `${BOM}old\n`, `${BOM}new\n`],
    ["with the line ends that the file has", "one\nnew\n", "one\r\ntwo\r\n", "one\r\nnew\r\n"],
    ["with its own line ends", "one\r\nnew\n", "one\r\ntwo\r\n", "one\r\nnew\n"],
    ["with LF where lines end in both ways", "one\nnew\n", "one\r\ntwo\n", "one\nnew\n"],
    ["into a file that is empty", "new\n", "", "new\n"],
    ["with lone halves of characters replaced", "\uD83D", "", "\uFFFD"],
  ])("%s", (_how, text, disk, saved) => {
    expect(savedBytes(text, Buffer.from(disk)).toString()).toBe(Buffer.from(saved).toString());
  });
});

describe("a new content goes to the editor", () => {
  it.each([
    ["as it is", "one\n", "one\n", "two\n", "two\n"],
    ["without the mark and with LF, if it shows both so", "one\n", `${BOM}one\r\n`, `${BOM}two\r\n`, "two\n"],
    ["with both, if it shows them", `${BOM}one\r\n`, `${BOM}one\r\n`, `${BOM}two\r\n`, `${BOM}two\r\n`],
  ])("%s", (_how, given, disk, bytes, sent) => {
    expect(textInForm(Buffer.from(bytes), formOf(given, Buffer.from(disk)))).toBe(sent);
  });
});

it.each([
  ["a\nb", "a\r\nb", true],
  [`${BOM}a`, "a", true],
  ["a\nb", "a\n\nb", false],
  ["a ", "a", false],
])("%j and %j are the same: %j", (one, other, same) => {
  expect(isSameText(one, other)).toBe(same);
});

it.each([
  ["one\ntwo", true],
  ["", true],
  ["one\r\n", false],
  [`${BOM}one`, false],
])("%j is plain: %j", (text, plain) => {
  expect(isPlainText(Buffer.from(text))).toBe(plain);
});
