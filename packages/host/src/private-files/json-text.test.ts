import { describe, expect, it } from "vitest";
import { doubledName, parseJson } from "./json-text.ts";

describe("readJson", () => {
  it("returns the value, with or without a byte order mark", () => {
    expect(parseJson('{"a":[1,true,null,"x"]}')).toEqual({ value: { a: [1, true, null, "x"] } });
    expect(parseJson('\uFEFF{"a":1}')).toEqual({ value: { a: 1 } });
  });

  const faults: [string, number, number, RegExp][] = [
    ['{\n  "a": 1,\n}', 3, 1, /comma before \}/],
    ['{"a":[1,]}', 1, 9, /comma before \]/],
    ['{"a":1\n "b":2}', 2, 2, /comma or the closing bracket/],
    ["{'a':1}", 1, 2, /double quotes/],
    ["{a:1}", 1, 2, /name in double quotes or }/],
    ['{"a" 1}', 1, 6, /colon/],
    ['{"a":}', 1, 6, /value is expected/],
    ['{"a":tru}', 1, 6, /value is expected/],
    ['{"a":01}', 1, 6, /value is expected/],
    ['{"a":1.}', 1, 6, /value is expected/],
    ['{"a":"x\ny"}', 1, 6, /string is not complete/],
    ['{"a":"\\q"}', 1, 6, /string is not complete/],
    ['{"a":1 // one\n}', 1, 8, /comments/],
    ["# hi\n{}", 1, 1, /comments/],
    ['{"a":{"b":[1,2', 1, 15, /ends too early/],
    ["", 1, 1, /ends too early/],
    ['{"a":1} x', 1, 9, /nothing may follow/],
    ['{"a":1}}', 1, 8, /nothing may follow/],
    ['["a"}', 1, 5, /comma or the closing bracket/],
    ["\u00a0{}", 1, 1, /value is expected/],
  ];
  it.each(faults)("reports an error in %j at line %i, column %i", (text, line, column, why) => {
    expect(parseJson(text)).toEqual({ line, column, why: expect.stringMatching(why) });
  });

  it("finds a position in every truncated text, and survives every wrong character", () => {
    const text = '{"a": [1, -2.5e3, {"b": "x\\u00e9\\n"}, []], "c": {}, "d": false}';
    for (let length = 0; length < text.length; length += 1) {
      expect(parseJson(text.slice(0, length))).toHaveProperty("line", 1);
      expect(() => parseJson(`${text.slice(0, length)}~${text.slice(length + 1)}`)).not.toThrow();
    }
  });
});

describe("doubledName", () => {
  it.each([
    ['{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}', undefined],
    ['{"a":"{\\"a\\":1,","b":"\\\\"}', undefined],
    ['["a","a",{"x":"a"}]', undefined],
    ['{"a":1,"a":2}', '"a"'],
    ['{"a":[{"b":1, "c":{}, "b" :2}]}', '"b"'],
    ['{"a":1,"\\u0061":2}', '"\\u0061"'],
    ['{"__proto__":1,"__proto__":2}', '"__proto__"'],
  ])("finds in %s the duplicate name %s", (text, name) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(doubledName(text)).toBe(name);
  });
});
