import { expect, it } from "vitest";
import { bugReport, failureText } from "./failure-text.ts";

const failure = (message: string, code?: string) =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

it.each([
  [
    failure("spawn git EMFILE", "EMFILE"),
    /^harness cannot go on \(spawn git EMFILE\): too many files .*ulimit -n 1024/,
  ],
  [failure("open ENFILE", "ENFILE"), /Close other programs/],
  [failure("write ENOSPC", "ENOSPC"), /Free some space/],
  [failure("x is not a function"), /^Something went wrong inside harness: x is not a function$/],
  [failure("of another kind", "toString"), /^Something went wrong inside harness: of another kind$/],
])("an error that nobody expected is worded: %s", (error, words) => {
  expect(failureText(error)).toMatch(words);
});

it("a system that runs out of something is not a bug: developers get no stack for it", () => {
  expect(bugReport(failure("open ENFILE", "ENFILE"))).toBeUndefined();
  expect(bugReport(failure("boom"))).toMatch(/^harness: internal error: Error: boom\n\s+at /);
});
