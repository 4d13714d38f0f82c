import { defineTool, type ToolApproval, type ToolContext } from "@harness/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { noteNewFiles } from "./note-new-files.ts";

const shell = defineTool({
  name: "shell",
  description: "Runs a command.",
  args: z.object({}),
  category: "destructive",
  effects: () => [],
  title: () => "shell",
  run: async () => ({ status: "ok", text: "ran", blocks: [] }),
});
const context = {} as ToolContext;
const approval: ToolApproval = { realPaths: new Map(), roots: ["/w"], sandboxed: false };
const checked = { commands: [], joins: [] };

/** The result of a call that leaves a new tool in the project. */
async function textAfter(given: Partial<ToolApproval>): Promise<string> {
  const files = { before: () => ({ stamps: new Map() }), after: async () => ["[tools/new: not used.]"] };
  const { text } = await noteNewFiles(shell, files).run({}, context, { ...approval, ...given });
  return text;
}

describe("programs that a call may have written", () => {
  it.each([
    ["a command that a person allowed", {}],
    // A prefix that the user has named as safe may write all the same.
    ["one that ran as it was checked", { checked }],
  ])("are looked for after %s", async (_what, given) => {
    expect(await textAfter(given)).toBe("ran\n[tools/new: not used.]");
  });

  it("are not looked for after commands that only read", async () => {
    expect(await textAfter({ checked, changesNothing: true })).toBe("ran");
  });
});
