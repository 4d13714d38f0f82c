import { describe, expect, it } from "vitest";
import { encodingName, textCodec } from "./text-codec.ts";

const singleByte = [
  ...Array.from({ length: 9 }, (_, at) => `windows-125${at}`),
  "windows-874",
  ...[2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16].map((part) => `iso-8859-${part}`),
  "koi8-r",
  "koi8-u",
  "ibm866",
  "macintosh",
];
const twoByte = ["shift_jis", "euc-jp", "gbk", "gb18030", "big5", "euc-kr"];

/** Every character that one or two bytes decode to. */
function charactersOf(name: string): string[] {
  const decoder = new TextDecoder(name, { ignoreBOM: true });
  const found = new Set<string>();
  const add = (...bytes: number[]) => {
    const characters = [...decoder.decode(Uint8Array.from(bytes))];
    if (characters.length === 1 && characters[0] !== "\uFFFD") found.add(characters[0] ?? "");
  };
  for (let byte = 0; byte < 256; byte++) add(byte);
  if (twoByte.includes(name))
    for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) add(lead, trail);
  return [...found];
}

describe("a text codec", () => {
  it.each([...singleByte, ...twoByte])("gives back every character of the encoding: %s", (name) => {
    const characters = charactersOf(name);
    expect(characters.length).toBeGreaterThan(twoByte.includes(name) ? 7_000 : 200);
    const text = characters.join("\n");
    const codec = textCodec(name);
    const bytes = codec?.encode(text) ?? Buffer.of();
    expect("character" in bytes ? bytes : codec?.decode(bytes)).toBe(text);
  });

  it.each([
    ["shift_jis", "日本語ｶﾅ～纊", "93fa967b8cEAB6C58160fa5c"],
    ["euc-jp", "日本語ｶ", "c6fccbdcb8ec8eb6"],
    ["gb18030", "中文", "d6d0cec4"],
    ["big5", "中文十", "a4a4a4e5a451"],
    ["euc-kr", "한글", "c7d1b1db"],
    ["koi8-r", "Привет", "f0d2c9d7c5d4"],
    ["windows-1252", "€é", "80e9"],
    ["utf-16be", "aé", "006100e9"],
  ])("writes what other programs write: %s", (name, text, hex) => {
    expect(textCodec(name)?.encode(text)).toEqual(Buffer.from(hex, "hex"));
  });

  it.each([
    ["windows-1251", "а\nб\r\nв → г", { character: "→", line: 3 }],
    ["iso-8859-15", "a😀", { character: "😀", line: 1 }],
    ["shift_jis", "한", { character: "한", line: 1 }],
    ["gb18030", "中\n😀", { character: "😀", line: 2 }],
  ])("names a character that the encoding does not have: %s", (name, text, problem) => {
    expect(textCodec(name)?.encode(text)).toEqual(problem);
  });

  it.each([
    ["latin1", "windows-1252"],
    ["CP1251", "windows-1251"],
    ["sjis", "shift_jis"],
    ["gb2312", "gbk"],
    ["utf8", "utf-8"],
    ["iso-2022-jp", undefined],
    ["x-user-defined", undefined],
    ["replacement", undefined],
    ["no-such", undefined],
    ["", undefined],
  ])("knows the labels of the standard: %s", (label, name) => {
    expect([encodingName(label), textCodec(label)?.name]).toEqual([name, name]);
  });
});
