import type { ToolCategory } from "@harness/gate";
import { AgentMode, agentModeOf } from "@harness/protocol";
import { probeTool } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { type PromptBudget, promptBudget } from "../context/system/prompt-budget.ts";
import { toolSpec } from "../loop/toolbox/tool-spec.ts";
import { Toolbox } from "../loop/toolbox/toolbox.ts";
import type { Tool } from "../ports/tool.ts";
import { switchMode } from "../tools/switch-mode.ts";
import { modeTexts, openingText } from "./mode-text.ts";
import { modeOffers, modes, notOfferedText } from "./modes.ts";

const kinds: [ToolCategory, Tool["area"]][] = [
  ["readOnly", undefined],
  ["destructive", undefined],
  ["signal", undefined],
  ["readOnly", "web"],
  ["destructive", "web"],
];
const offered = (mode: AgentMode) =>
  kinds.map(([category, area]) => modeOffers(mode, { category, ...(area ? { area } : {}) }));

describe("the modes", () => {
  it.each<[AgentMode, boolean[]]>([
    ["casual", [false, false, false, true, true]],
    ["planning", [true, false, true, true, false]],
    ["research", [true, false, true, true, false]],
    ["agent", [true, true, true, true, true]],
  ])("the mode %s offers of readers, changers, signals and both kinds of web tools: %j", (mode, wanted) => {
    expect(offered(mode)).toEqual(wanted);
  });

  it("the modes have each a row and a text", () => {
    expect(Object.keys(modes)).toEqual(AgentMode.options);
    for (const mode of AgentMode.options) expect(modeTexts[mode].trim()).not.toBe("");
  });

  it("the modes have aliases", () => {
    expect(["plan", "DEV", " researching ", "Agent", "toString", ""].map(agentModeOf)).toEqual([
      "planning",
      "agent",
      "research",
      "agent",
      undefined,
      undefined,
    ]);
  });

  it("the modes explain a missing tool to a model, and the way out", () => {
    expect(notOfferedText("planning", "write")).toBe(
      "denied: there is no `write` in planning mode, which only looks and plans. Go on without it; when the person should let you make changes, call `switch_mode` with `agent`, or ask them to type /agent.",
    );
    expect(notOfferedText("casual", "read")).not.toContain("switch_mode");
  });
});

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  ...probeTool(name, () => ({ status: "ok", text: "x", blocks: [] })),
  ...more,
});
const tools = [
  tool("read"),
  tool("list", { offer: "if-room" }),
  tool("write", { category: "destructive" }),
  tool("fetch", { offer: "if-room", area: "web" }),
  switchMode(async () => ({ status: "ok", text: "x", blocks: [] })),
];
const told = (mode: AgentMode, contextWindow: number): string[] => {
  const toolbox = new Toolbox({ tools, aliases: [] });
  toolbox.fit(promptBudget(contextWindow), mode);
  return toolbox.specs.map(({ name }) => name);
};

describe("the tools that a mode has", () => {
  it.each<[AgentMode, number, string[]]>([
    ["agent", 8_192, ["read", "write", "tool_search"]],
    ["agent", 128_000, ["read", "list", "write", "fetch", "tool_search"]],
    ["planning", 8_192, ["read", "switch_mode", "tool_search"]],
    ["planning", 128_000, ["read", "list", "fetch", "switch_mode"]],
    ["research", 8_192, ["read", "switch_mode", "tool_search"]],
    ["casual", 8_192, ["fetch"]],
    ["casual", 128_000, ["fetch"]],
  ])("the mode %s in a context window of %d offers %j", (mode, contextWindow, wanted) => {
    expect(told(mode, contextWindow)).toEqual(wanted);
  });

  it("tools hidden behind the search are only those of the mode", () => {
    const toolbox = new Toolbox({
      tools: [...tools, tool("drop", { category: "destructive", offer: "if-room" })],
      aliases: [],
    });
    toolbox.fit(promptBudget(8_192), "planning");
    expect(toolbox.hidden.map(({ name }) => name)).toEqual(["list", "fetch"]);
    expect(toolbox.offer(["drop", "fetch"])).toEqual(["fetch"]);
    expect(toolbox.unknownText("writ")).toBe(
      "There is no tool `writ`. The tools are: read, switch_mode, tool_search, fetch; tool_search finds more.",
    );
    expect(toolbox.find("write")?.tool.name).toBe("write");
  });

  it("a mode may have no tools", () => {
    const toolbox = new Toolbox({ tools: [tool("read")], aliases: [] });
    toolbox.fit(promptBudget(8_192), "casual");
    expect(toolbox.specs).toEqual([]);
    expect(toolbox.unknownText("x")).toBe("There is no tool `x`. You have no tools.");
  });
});

describe("the texts of a mode", () => {
  const sizes: PromptBudget["size"][] = ["small", "medium", "large", "ample"];

  it.each(AgentMode.options)("the texts of a mode follow the header, or stand alone: %s", (mode) => {
    for (const size of sizes) {
      const text = openingText(mode, { own: {}, size });
      expect(text.startsWith("You are harness")).toBe(true);
      expect(text.includes("coding agent")).toBe(mode !== "casual");
      expect(text.length).toBeLessThanOrEqual(size === "small" ? 700 : 1_800);
    }
  });

  it("the texts of the agent mode are no longer than they were before there were modes", () => {
    expect(openingText("agent", { own: {}, size: "large" }).length).toBeLessThanOrEqual(1_250);
    expect(openingText("agent", { own: {}, size: "small" }).length).toBeLessThanOrEqual(560);
  });

  it("the texts of the agent mode have rules for the work where there is ample room, unless they are a person's own", () => {
    const rules = ["Plan work", "running it", "Ask when", "git history", "Do not touch"];
    for (const rule of rules) {
      expect(openingText("agent", { own: {}, size: "ample" })).toContain(rule);
      expect(openingText("agent", { own: { mode: "Do it." }, size: "ample" })).not.toContain(rule);
    }
  });

  it("the texts of a mode may be a person's own, the header too, and empty", () => {
    expect(openingText("agent", { own: { header: " Mine. \n", mode: "Do it." }, size: "small" })).toBe(
      "Mine.\n\nDo it.",
    );
    expect(openingText("casual", { own: { header: "Mine.", mode: "Chat." }, size: "large" })).toBe("Chat.");
    expect(openingText("agent", { own: { header: "", mode: "  " }, size: "large" })).toBe("");
  });
});

describe("the tool that changes the mode", () => {
  it("the tool that changes the mode describes all modes, and takes their aliases", () => {
    const args = toolSpec(tools.at(-1) as Tool).inputSchema;
    expect(args).toMatchObject({ properties: { mode: { enum: AgentMode.options } }, required: ["mode"] });
    const parse = (mode: unknown) => (tools.at(-1) as Tool).args.safeParse({ mode }).data;
    expect(parse("dev")).toEqual({ mode: "agent" });
    expect(parse("Plan")).toEqual({ mode: "planning" });
    expect(parse("sudo")).toBe(undefined);
    expect(parse(7)).toBe(undefined);
  });
});
