import { describe, expect, it } from "vitest";
import { parseJson } from "./json-text.ts";
import { readLenientJson } from "./lenient-json.ts";

describe("JSON as editors write it", () => {
  it.each([
    ['// a\n{"a": 1} // b', { a: 1 }],
    ['\uFEFF/* a\n b */{"a": [1, 2,\r\n], }', { a: [1, 2] }],
    ['{"a": "// no /* comment */ ,}"}', { a: "// no /* comment */ ,}" }],
    ['{"a\\\\": "\\"//", /* " */ "b": 1,}', { "a\\": '"//', b: 1 }],
  ])("may have comments and commas too many: %s", (text, value) => {
    expect(readLenientJson(text)).toEqual({ value });
  });

  it.each(['{"a": 1,, }', "[1 2,]", "{'a': 1}", "/* open", '{"a": 1} x', ""])("is refused otherwise: %s", (text) => {
    expect(readLenientJson(text)).toHaveProperty("line");
  });

  it("has the place of a fault as it is in the text", () => {
    expect(readLenientJson('// one\n/* two */ {"a": x}')).toMatchObject({ line: 2, column: 17 });
  });

  it("is what strict JSON is wherever the text is strict, and no deeper", () => {
    const text = '{"a":["//",{"b":"/**/"}]}';
    expect(readLenientJson(text)).toEqual(parseJson(text));
    expect(readLenientJson(`// deep\n${"[".repeat(200)}`)).toHaveProperty("why", expect.stringContaining("deeper"));
  });
});
