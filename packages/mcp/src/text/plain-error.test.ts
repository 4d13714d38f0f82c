import { expect, it } from "vitest";
import { plainError } from "./plain-error.ts";

const dump = (issues: unknown) => JSON.stringify(issues, undefined, 2);

it.each<[string, string, string]>([
  ["words stay words", "It is [not] {there}.", "It is [not] {there}."],
  ["JSON that is not a list of issues stays", 'It said [{"a":1}]', 'It said [{"a":1}]'],
  [
    "issues become their sentences",
    `Invalid arguments for tool x: ${dump([
      { code: "invalid_type", expected: "string", path: ["who"], message: "Required" },
      { code: "custom", path: [], message: "Too much." },
    ])}`,
    "Invalid arguments for tool x: Required (at who); Too much",
  ],
  [
    "of a union the form that is meant",
    `Invalid result: ${dump([
      {
        code: "invalid_union",
        path: ["content", 1],
        message: "Invalid input",
        errors: [
          [{ code: "invalid_value", path: ["type"], message: "expected text" }],
          [{ code: "invalid_type", path: ["resource", "text"], message: "expected string" }],
        ],
      },
    ])}`,
    "Invalid result: expected string (at content.1.resource.text)",
  ],
  [
    "many are counted",
    dump(Array.from({ length: 5 }, (_, at) => ({ code: "custom", path: [at], message: "bad" }))),
    "bad (at 0); bad (at 1); bad (at 2), and 2 more",
  ],
])("%s", (_, message, text) => {
  expect(plainError(new Error(message))).toBe(text);
});
