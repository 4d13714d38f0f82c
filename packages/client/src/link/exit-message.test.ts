import { describe, expect, it } from "vitest";
import { exitMessage } from "./exit-message.ts";

const exit = { code: 1, signal: null };

describe("exitMessage", () => {
  it.each([
    ["", "it ended with code 1"],
    ["harness: the disk is full\n", "it ended with code 1: harness: the disk is full"],
    [
      "node:internal/loader:1\n  throw err;\n\nError [ERR_X]: Cannot find module\n    at a (b:1)\n{\n  code: 1\n}\n\nNode.js v24.1.0\n",
      "it ended with code 1: Error [ERR_X]: Cannot find module",
    ],
  ])("%j", (said, words) => {
    expect(exitMessage(exit, said)).toBe(words);
  });

  it("names a signal, and what kept it from starting", () => {
    expect(exitMessage({ code: null, signal: "SIGKILL" }, "")).toBe(
      "it was killed by SIGKILL (it was stopped by force, often because memory ran out)",
    );
    expect(exitMessage({ ...exit, problem: "there is no such program" }, "")).toBe("there is no such program");
  });
});
