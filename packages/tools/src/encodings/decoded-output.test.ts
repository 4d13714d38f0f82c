import { describe, expect, it } from "vitest";
import { decodedOutput, isBinaryOutput } from "./decoded-output.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
const KANJI = "日本語のテキストです。これはながい文章で、かなをたくさん含みます。";
const SHIFT_JIS = Buffer.from(
  "93fa967b8cea82cc8365834c8358836782c582b7814282b182ea82cd82c882aa82a295b68fcd82c5814182a982c882f082bd82ad82b382f18adc82dd82dc82b78142",
  "hex",
);

describe("the text of output", () => {
  it.each<[string, Buffer, string]>([
    ["UTF-8", Buffer.from("Größe €\n"), "Größe €\n"],
    ["Latin-1", latin1("Straße\n"), "Straße\n"],
    ["Windows-1252", Buffer.from([0x93, 0x61, 0x94, 0x20, 0x80, 0x0a]), "“a” €\n"],
    ["lines in both", Buffer.concat([Buffer.from("Größe\n"), latin1("Größe\n")]), "Größe\nGröße\n"],
    ["Shift-JIS", SHIFT_JIS, KANJI],
    ["a character cut in two", Buffer.from("日本語").subarray(0, 8), "日本\uFFFD"],
  ])("is read as %s", (_, bytes, text) => {
    expect(decodedOutput(bytes)).toBe(text);
  });

  it.each<[string, Buffer, string, string]>([
    ["Cyrillic", Buffer.from("cff0e8e2e5f20a", "hex"), "cp1251", "Привет\n"],
    ["a single Cyrillic letter", Buffer.from("61e062", "hex"), "windows-1251", "aаb"],
    ["lines in both", Buffer.concat([Buffer.from("мир\n"), Buffer.from("ece8f0", "hex")]), "cp1251", "мир\nмир"],
    ["short Shift-JIS", Buffer.from("93fa967b8cea", "hex"), "sjis", "日本語"],
    ["bytes that it does not have", latin1("Stra\xdfe\xff\n"), "shift_jis", "Straßeÿ\n"],
    ["UTF-8 that is cut", Buffer.from("日本語").subarray(0, 8), "cp1251", "日本\uFFFD"],
    ["UTF-8 as the setting", latin1("Straße"), "utf-8", "Straße"],
  ])("is read as the setting says: %s", (_, bytes, fileEncoding, text) => {
    expect(decodedOutput(bytes, { fileEncoding })).toBe(text);
  });

  it.each<[string, Buffer, number, boolean]>([
    ["a legacy word", latin1("Straße\n"), 0, false],
    ["Shift-JIS", SHIFT_JIS, 0, false],
    ["one control character in short text", latin1("\xe4\x01 word\n"), 0, false],
    ["names with NULs between them", Buffer.from("one-name/of/a/file.txt"), 2, false],
    ["many NULs", Buffer.from("abc"), 3, true],
    ["mostly control characters", Buffer.from([1, 2, 3, 4, 65, 66]), 0, true],
    ["data with NULs", Buffer.from([0x8f, 1, 2, 0xff, ...Buffer.from("x".repeat(40))]), 1, true],
  ])("%s", (_, bytes, nuls, isBinary) => {
    expect(isBinaryOutput(bytes, nuls)).toBe(isBinary);
  });
});
