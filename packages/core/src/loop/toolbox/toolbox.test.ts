import { memoryTools } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { promptBudget } from "../../context/system/prompt-budget.ts";
import type { ToolAlias } from "../../ports/tool.ts";
import { Toolbox } from "./toolbox.ts";

const alias = (name: string, tool: string): ToolAlias => ({ name, tool, convert: (input) => input });
const toolbox = new Toolbox({ tools: memoryTools(), aliases: [alias("run_shell", "bash"), alias("open", "nothing")] });

it("names of other programs are known by the tool that they mean, as far as there is one", () => {
  expect(toolbox.aliases).toEqual({ run_shell: "bash" });
});

describe("a tool by name", () => {
  it.each([
    ["read", "read"],
    [" read ", "read"],
    ["Read", "read"],
    ["READ", "read"],
    ["functions.read", "read"],
    ["functions_read", "read"],
    ["tool.write", "write"],
    ["run_shell", "bash"],
    ["Run-Shell", "bash"],
    ["RunShell", "bash"],
    ["functions.run_shell", "bash"],
  ])("a tool by name: %s", (name, tool) => {
    expect(toolbox.find(name)?.tool.name).toBe(tool);
  });

  it("a name that stands for several tools is understood by the arguments", () => {
    const editor = { ...alias("editor", "write"), toolFor: ({ command }: Record<string, unknown>) => String(command) };
    const mixed = new Toolbox({ tools: memoryTools(), aliases: [editor] });
    const found = (command: string) => mixed.find("editor", () => ({ command }))?.tool.name;
    expect([found("read"), found("bash"), found("gone")]).toEqual(["read", "bash", "write"]);
    expect(mixed.find("Editor", () => ({ command: "read" }))?.tool.name).toBe("read");
    expect(mixed.find("editor")?.tool.name).toBe("write");
  });

  it.each(["", "reed", "reader", "writ", "open", "toString", "__proto__", "rm"])(
    "a name is never guessed: %s",
    (name) => {
      expect(toolbox.find(name)).toBe(undefined);
    },
  );

  it("a tool by name that is unknown gets suggestions and the list of tools", () => {
    expect(toolbox.unknownText("raed")).toBe(
      "There is no tool `raed`. Did you mean `read`? The tools are: read, write, bash.",
    );
    expect(toolbox.unknownText("fetch_the_web")).toBe(
      "There is no tool `fetch_the_web`. The tools are: read, write, bash.",
    );
    expect(toolbox.unknownText("x".repeat(100_000)).length).toBeLessThan(300);
  });

  it("the description of a tool leaves out the bounds that zod adds", () => {
    expect(toolbox.specs[0]).toEqual({
      name: "read",
      description: "Read a file.",
      inputSchema: {
        type: "object",
        properties: { file_path: { type: "string" }, limit: { type: "integer" } },
        required: ["file_path"],
      },
    });
    expect(toolbox.chars).toBe(JSON.stringify(toolbox.specs).length);
  });
});

it("a small context window does not list rare arguments", () => {
  const tools = memoryTools().map((tool) => (tool.name === "read" ? { ...tool, rareArgs: ["limit"] } : tool));
  const offered = new Toolbox({ tools, aliases: [] });
  const argumentsIn = (contextWindow: number) => {
    offered.fit(promptBudget(contextWindow));
    const read = offered.specs.find(({ name }) => name === "read");
    return Object.keys(read?.inputSchema.properties ?? {});
  };
  expect(argumentsIn(200_000)).toEqual(["file_path", "limit"]);
  expect(argumentsIn(8_192)).toEqual(["file_path"]);
});
