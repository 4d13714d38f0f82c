import { describe, expect, it } from "vitest";
import { formatList, parseList } from "./setting-list.ts";

describe("a list of texts in one line", () => {
  it.each([
    [[], ""],
    [["npm test"], "npm test"],
    [["npm test", "make"], "npm test, make"],
    [["a,b", "c"], '["a,b","c"]'],
    [["[x]"], '["[x]"]'],
    [[" a"], '[" a"]'],
    [[""], '[""]'],
  ])("%j is %j, there and back", (values, line) => {
    expect(formatList(values)).toBe(line);
    expect(parseList(line)).toEqual(values);
  });

  it.each([
    [" a ,, b,", ["a", "b"]],
    ["[1, 2", "[1, 2"],
    ['["a"]', ["a"]],
    [" , ", []],
  ])("%j is read as %j", (line, values) => {
    expect(parseList(line)).toEqual(values);
  });
});
