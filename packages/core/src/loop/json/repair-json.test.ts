import { describe, expect, it } from "vitest";
import { repairJson } from "./repair-json.ts";

describe("JSON that is repaired", () => {
  it.each([
    ["a comma before a brace", '{"a":1,}', { a: 1 }],
    ["a comma and blanks before a bracket", '{"a":[1,2 , \n ]}', { a: [1, 2] }],
    ["commas at several depths", '{"a":{"b":[1,],},}', { a: { b: [1] } }],
    ["line ends inside a string", '{"a":"x\ny\r\nz\tq"}', { a: "x\ny\r\nz\tq" }],
    ["a NUL inside a string", '{"a":"x\0y"}', { a: "x\0y" }],
    [
      "a byte order mark and no-break spaces between values",
      '\uFEFF{\u00A0"a":\u00A0"x\u00A0y\uFEFF" }',
      { a: "x\u00A0y\uFEFF" },
    ],
    ["both", '{"a":"x\n,}",}', { a: "x\n,}" }],
  ])("JSON that is repaired: %s", (_name, text, value) => {
    const { text: repaired, repairs } = repairJson(text);
    expect(JSON.parse(repaired)).toEqual(value);
    expect(repairs.length).toBeGreaterThan(0);
  });

  it.each([
    '{"a":"text with ,} and ,] in it"}',
    '{"a":"an escaped \\" quote ,}"}',
    "[1,2]",
    '{"a":[1,,2]}',
    "[,]",
    "{ , }",
    '{"a":,}',
    '{"a":[1,,]}',
    "not JSON at all,",
  ])("JSON that is repaired is left as it was: %s", (text) => {
    expect(repairJson(text)).toEqual({ text, repairs: [] });
  });

  it("JSON that is repaired takes a megabyte in one pass", () => {
    const rows = Array.from({ length: 50_000 }, (_, n) => `"line ${n}\n",`);
    expect(JSON.parse(repairJson(`[${rows.join("")}]`).text)).toHaveLength(50_000);
  });
});
