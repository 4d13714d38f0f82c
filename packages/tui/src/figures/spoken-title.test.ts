import type { ToolOutcome } from "@harness/protocol";
import { expect, it } from "vitest";
import { spokenLine } from "./spoken-title.ts";

const outcome = (status: ToolOutcome["status"], blocks: ToolOutcome["blocks"] = []): ToolOutcome => ({
  ...{ status, text: "", blocks, durationMs: 1 },
});
const terminal = { type: "terminal" as const, command: "npm test", output: "", exitCode: 1, durationMs: 1 };

it.each([
  ["bash npm test", outcome("ok", [terminal]), "Ran npm test"],
  ["bash npm test", outcome("error", [terminal]), "Ran npm test"],
  ["bash npm test", outcome("denied"), "Run npm test"],
  ["edit src/a.ts", outcome("ok"), "Edited src/a.ts"],
  ["edit src/a.ts", outcome("error"), "Edit src/a.ts"],
])("a call with the title %s and an outcome is named by what happened", (title, its, line) => {
  const call = { title, name: "x", status: "completed" as const, outcome: its, byPerson: undefined, review: undefined };
  expect(spokenLine(call)).toBe(line);
});
