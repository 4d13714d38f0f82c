import type { Permission } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { permissionAnswer, permissionText, questionAnswer, questionText } from "./questions.ts";

const permission = {
  options: [
    { optionId: "once", name: "Allow once", kind: "allow_once" },
    { optionId: "session", name: "Allow for this session", kind: "allow_session" },
    { optionId: "always", name: "Always allow", kind: "allow_always" },
    { optionId: "no", name: "Deny", kind: "reject_once" },
  ],
} as unknown as Permission;

describe("a line at a permission request", () => {
  it.each([
    ["y", "once"],
    [" S ", "session"],
    ["r", "always"],
    ["n", "no"],
    ["stop", "no"],
    ["w not there", "no"],
  ])("%j is an answer", (line, optionId) => {
    expect(permissionAnswer(permission, line)?.outcome).toMatchObject({ optionId });
  });

  it.each(
    "yes|yes, but run the tests first|y but wait|stop, not that|s o|should this be in src?|rather use make|r|no|n no|no, 1|1|2 things|x|w|y\ny|n\nfirst|"
      .split("|")
      .filter((line) => line !== "r"),
  )("%j is none", (line) => {
    expect(permissionAnswer(permission, line)).toBeUndefined();
  });
});

it("a change is shown in words, without the line numbers of a patch", () => {
  const hunks = "@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d";
  const preview = [{ type: "diff" as const, path: "a.ts", change: "modify" as const, hunks, added: 2, removed: 2 }];
  const text = permissionText({ ...permission, tool: "edit", title: "edit a.ts", reason: "writes a.ts", preview });
  expect(text).toContain("| changes a.ts\n  | -a\n  | +b\n  | ⋯\n  | -c\n  | +d");
});

describe("a question in plain lines", () => {
  const question = {
    sessionId: "s",
    elicitationId: "e",
    agentId: "main",
    message: "Which database?",
    options: [
      { optionId: "1", name: "Postgres", description: "A server" },
      { optionId: "2", name: "SQLite" },
    ],
    freeText: true,
  };

  it("has its place, its subject and the descriptions of its answers", () => {
    expect(questionText({ ...question, header: "Database", part: { at: 1, of: 3 } }).split("\n")).toEqual([
      "(1 of 3) Database: Which database?",
      "  1  Postgres",
      "     A server",
      "  2  SQLite",
      "  Answer with a number, or your own words, or skip to give no answer.",
    ]);
    expect(questionAnswer(question, "postgres")).toEqual({ action: "accept", optionId: "1" });
  });

  it("follows the plan that it is about, without control characters", () => {
    const text = questionText({ ...question, header: "Plan", about: "# Plan\n1. Do \u001b[31mit" });
    expect(text).toMatch(/^# Plan\n1\. Do .*it\n\nPlan: Which database\?/);
    expect(text).not.toContain("\u001b");
  });
});
