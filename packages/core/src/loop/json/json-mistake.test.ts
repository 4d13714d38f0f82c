import { describe, expect, it } from "vitest";
import { jsonMistake } from "./json-mistake.ts";

const whole = '{"a": [1, -2.5e3, true, null, "x\\n\\u00e9\\"{"], "b": {"c": {}, "d": []}, "e": ""}';

describe("where a text stops being JSON", () => {
  it("is nowhere in what is whole", () => {
    expect(jsonMistake(whole)).toBeUndefined();
    expect(jsonMistake(` ${whole}\n`)).toBeUndefined();
  });

  it("is its end, wherever it is cut", () => {
    for (let length = 0; length < whole.length; length += 1) {
      expect(jsonMistake(whole.slice(0, length)), whole.slice(0, length)).toBe("cut");
    }
  });

  it.each<[string, string, number]>([
    ["a quote that is not escaped", '{"a":"say "hi" now"}', 11],
    ["the last quote of many", '{"a":"x = \\"1\\"; y = "2""}', 22],
    ["a bracket that nothing opened", '{"a":1}]', 7],
    ["the wrong bracket", '{"a":[1}', 7],
    ["a comma in place of a value", '{"a":,"b":1}', 5],
    ["a comma before the end", '{"a":1,}', 7],
    ["a key without quotes", "{a:1}", 1],
    ["an escape that is none", '{"a":"\\uZZZZ"}', 6],
    ["another escape that is none", '{"a":"C:\\Users\\me"}', 8],
    ["a word", '{"a":yes}', 5],
    ["a number that is none", '{"a":1.2.3}', 5],
    ["a second value", '{"a":1} {"b":2}', 8],
  ])("is %s", (_, text, at) => {
    expect(jsonMistake(text)).toBe(at);
  });

  it("is somewhere exactly where JSON.parse refuses the text", () => {
    const marks = ['"', "\\", "{", "}", "[", "]", ",", ":", "1", "e", "-", ".", "u", "n", " "];
    let seed = 1;
    const roll = (most: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed % most;
    };
    for (let round = 0; round < 20_000; round += 1) {
      const at = roll(whole.length);
      const text = `${whole.slice(0, at)}${marks[roll(marks.length)]}${whole.slice(at + roll(3))}`;
      let parses = true;
      try {
        JSON.parse(text);
      } catch {
        parses = false;
      }
      expect(jsonMistake(text) === undefined, text).toBe(parses);
    }
  });

  it("takes linear time", () => {
    const text = `{"a":"${"\\".repeat(200_000)}`;
    expect(jsonMistake(text)).toBe("cut");
    expect(jsonMistake("[".repeat(200_000))).toBe("cut");
  });
});
