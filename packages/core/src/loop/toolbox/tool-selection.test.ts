import { probeTool } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { ToolTable } from "../../ports/tool.ts";
import { selectTools } from "./tool-selection.ts";

const tool = (name: string) => probeTool(name, () => ({ status: "ok", text: "x", blocks: [] }));
const table: ToolTable = {
  tools: ["read", "grep", "web_fetch"].map(tool),
  aliases: [
    { name: "search", tool: "grep", convert: (input) => input },
    { name: "Fetch", tool: "web_fetch", convert: (input) => input },
  ],
};
const names = (lists: Parameters<typeof selectTools>[1]) => selectTools(table, lists).tools.map(({ name }) => name);

describe("the tools of an agent", () => {
  it.each([
    [["read", "tool_search", "tools_search"], ["read"]],
    [
      ["functions.read", "tools.search"],
      ["read", "grep"],
    ],
    [
      ["search", "WebFetch"],
      ["grep", "web_fetch"],
    ],
    [
      ["Search", "FETCH", "Read"],
      ["read", "grep", "web_fetch"],
    ],
    [[], []],
  ])("are those that were listed, and none that a name could only stand for: %j", (only, expected) => {
    expect(names({ only })).toEqual(expected);
  });

  it("are without those that a name could stand for", () => {
    expect(names({ without: ["tool_search", "functions.read"] })).toEqual(["web_fetch"]);
  });
});
