import { expect, it } from "vitest";
import { shortList, wordList } from "./word-list.ts";

it.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a and b"],
  [["a", "b", "c"], "a, b and c"],
])("the words %j are the list %j", (words, list) => {
  expect(wordList(words)).toBe(list);
  expect(wordList(words, "or")).toBe(list.replace("and", "or"));
});

it.each([
  [[], ""],
  [["a", "b"], "a, b"],
  [["a", "b", "c"], "a, b and 1 more"],
])("of the words %j at most two are named: %j", (words, list) => {
  expect(shortList(words, 2)).toBe(list);
});
