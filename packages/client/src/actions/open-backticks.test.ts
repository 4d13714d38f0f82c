import { expect, it } from "vitest";
import { openBackticks } from "./open-backticks.ts";

it.each([
  ["plain", undefined],
  ["run `npm test` now", undefined],
  ["run `npm test", "`"],
  ["```ts\nconst a = 1;", "```"],
  ["```ts\nconst a = `x", "```"],
  ["```ts\nconst a = `x;\n```", undefined],
  ["```\na\n``` and `b", "`"],
  ["``", undefined],
  ["`````", "```"],
])("the text %j leaves %j open", (text, open) => {
  expect(openBackticks(text)).toBe(open);
});
