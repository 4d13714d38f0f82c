import { expect, it } from "vitest";
import { pullText } from "./pull-text.ts";

it.each([
  [{ status: "pulling manifest" }, "pulling manifest"],
  [{ status: "pulling 8934d96d3f08", completed: 2_115_000_000, total: 4_700_000_000 }, "45% of 4.7 GB"],
  [{ status: "pulling 8934d96d3f08", completed: 4_699_999_999, total: 4_700_000_000 }, "99% of 4.7 GB"],
  [{ status: "pulling 8c17c2ebb0ea", completed: 7_000, total: 7_000 }, "100% of 7 kB"],
  [{ status: "pulling 8c17c2ebb0ea", total: 0 }, "pulling 8c17c2ebb0ea"],
])("a download is as far as %j says", (update, text) => {
  expect(pullText(update)).toBe(text);
});
