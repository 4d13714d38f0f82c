import { describe, expect, it } from "vitest";
import { withoutMarks } from "./without-marks.ts";

describe("Markdown in one line", () => {
  it.each([
    ["Hello! I am a **scripted** model.", "Hello! I am a scripted model."],
    ["- `from` and *to*", "from and to"],
    ["## Found\n- [x] done", "Found\ndone"],
    ["See [docs](https://example.com) and `code`.", "See docs and code."],
    ["2 * 3 * 4, src/**/*.ts, snake_case_name, a[0](b c)", "2 * 3 * 4, src/**/*.ts, snake_case_name, a[0](b c)"],
    ["Do this:\n```sh\nnpm test\n```\nThen that.", "Do this:\nnpm test\nThen that."],
    ["** not closed", "** not closed"],
  ])("%j is read as %j", (text, read) => {
    expect(withoutMarks(text)).toBe(read);
  });
});
