import { call, calling, MemorySession, memoryTools, probeTool, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { promptBudget } from "../../context/system/prompt-budget.ts";
import type { Tool, ToolAlias, ToolApproval, ToolContext } from "../../ports/tool.ts";
import { Toolbox } from "./toolbox.ts";

const ok = () => ({ status: "ok" as const, text: "x", blocks: [] });
const described = (name: string, description: string, offer?: Tool["offer"], brief?: string): Tool => {
  const tool = { ...probeTool(name, ok), description };
  return { ...tool, ...(offer ? { offer } : {}), ...(brief ? { brief } : {}) };
};
const optional = [
  described("list_folder", "Lists what is in a folder.", "if-room"),
  described("web_fetch", "Fetches a page of the web by its URL.", "if-room"),
];
const calendar = described("calendar_add", "Adds an entry to a calendar.", "if-room");
const names = (toolbox: Toolbox) => toolbox.specs.map(({ name }) => name);

function boxFor(contextWindow: number, tools: readonly Tool[] = [...memoryTools(), ...optional, calendar]): Toolbox {
  const toolbox = new Toolbox({ tools, aliases: [] });
  toolbox.fit(promptBudget(contextWindow));
  return toolbox;
}

async function search(toolbox: Toolbox, query: string): Promise<string> {
  const tool = toolbox.find("tool_search")?.tool;
  return (await tool?.run({ query }, {} as ToolContext, {} as ToolApproval))?.text ?? "";
}

describe("the tools that requests describe", () => {
  it("the tools that requests describe are few in a small context window, and all of them where there is room", () => {
    expect(names(boxFor(8_192))).toEqual(["read", "write", "bash", "tool_search"]);
    expect(names(boxFor(128_000))).toEqual(["read", "write", "bash", "list_folder", "web_fetch", "calendar_add"]);
    expect(names(boxFor(128_000, memoryTools()))).toEqual(["read", "write", "bash"]);
  });

  it("the tools that requests describe have short descriptions in a small context window", () => {
    const tools = [described("probe", "A long description of it.", "always", "Short.")];
    expect(boxFor(8_192, tools).specs[0]?.description).toBe("Short.");
    expect(boxFor(64_000, tools).specs[0]?.description).toBe("A long description of it.");
  });

  it.each([
    [63_999, ["read", "write", "bash", "tool_search"], "What it does."],
    [64_000, ["read", "write", "bash", "ask"], "What it does. What to know."],
  ])("in a context window of %d are %j", (contextWindow, offered, description) => {
    const ask = described("ask", "Asks.", "ample-room");
    const toolbox = boxFor(contextWindow, [...memoryTools(), ask]);
    expect(names(toolbox)).toEqual(offered);
    const detailed = { ...described("probe", "What it does."), details: "What to know." };
    const probe = boxFor(contextWindow, [detailed]);
    expect(probe.specs[0]?.description).toBe(description);
    probe.follow({ tools: [detailed, { ...detailed, name: "another" }], aliases: [] });
    expect(probe.specs.map((spec) => spec.description)).toEqual([description, description]);
  });

  it.each([
    ["research" as const, ["web_fetch"]],
    ["planning" as const, ["question"]],
    ["agent" as const, ["question", "todo"]],
  ])("a small context window in %s mode at least names %j", (mode, named) => {
    const hidden = ["question", "todo", "web_fetch", "calendar_add"].map((name) => ({
      ...described(name, "Does it.", "when-found"),
      ...(name === "web_fetch" ? { area: "web" as const } : {}),
    }));
    const toolbox = boxFor(8_192, [...memoryTools(), ...hidden]);
    toolbox.fit(promptBudget(8_192), mode);
    const search = toolbox.specs.find(({ name }) => name === "tool_search");
    expect(search?.description).toBe(`Finds more tools by words. There are: ${named.join(", ")}.`);
  });

  it("the tools that requests describe never fill more than their share, however many there are", () => {
    const many = Array.from({ length: 400 }, (_, n) =>
      described(`plugin_${n}`, "Does a thing. ".repeat(10), "if-room"),
    );
    for (const contextWindow of [16_384, 200_000]) {
      const toolbox = boxFor(contextWindow, [...memoryTools(), ...many]);
      expect(toolbox.chars).toBeLessThan(promptBudget(contextWindow).maxToolChars + 500);
      expect(names(toolbox)).toContain("plugin_0");
      expect(names(toolbox)).not.toContain("plugin_399");
      expect(names(toolbox).at(-1)).toBe("tool_search");
    }
  });

  it("a tool may be called without being offered", () => {
    expect(boxFor(8_192).find("web_fetch")?.tool.name).toBe("web_fetch");
  });

  it("a model that names an unknown tool gets the names of its tools and the way to the others", () => {
    expect(boxFor(8_192).unknownText("browse")).toBe(
      "There is no tool `browse`. The tools are: read, write, bash, tool_search; tool_search finds more.",
    );
  });
});

describe("names of other programs", () => {
  const form = {
    name: "git_status",
    description: "Shows what has changed in git.",
    args: z.strictObject({ short: z.boolean().optional() }),
    category: "destructive",
  } as const;
  const alias: ToolAlias = {
    name: form.name,
    tool: "bash",
    form,
    convert: ({ short }) => ({ command: `git status${short ? " -s" : ""}` }),
  };
  const table = { tools: memoryTools(), aliases: [alias] };

  it("names of other programs are found by searching, and offered from then on", async () => {
    const toolbox = new Toolbox(table);
    expect(names(toolbox)).toEqual(["read", "write", "bash", "tool_search"]);
    await search(toolbox, "git");
    expect(names(toolbox)).toEqual(["read", "write", "bash", "tool_search", "git_status"]);
    expect(toolbox.find("git_status")).toMatchObject({ tool: { name: "bash" }, alias: { name: "git_status" } });
  });

  it("names of other programs that were called stay offered behind a summary, and are not offered anew by a resume", () => {
    const toolbox = new Toolbox(table);
    const called = { type: "tool_call" as const, toolCallId: "a", name: "git_status", input: {} };
    toolbox.offerAgain([{ role: "assistant", parts: [called] }], { withCalls: false });
    expect(names(toolbox).at(-1)).toBe("tool_search");
    toolbox.offerAgain([{ role: "assistant", parts: [called] }], { withCalls: true });
    expect(names(toolbox).at(-1)).toBe("git_status");
  });

  it("names of other programs are not offered in a mode that does not have their tool", () => {
    const toolbox = new Toolbox(table);
    toolbox.fit(promptBudget(200_000), "planning");
    expect(toolbox.hidden.map(({ name }) => name)).not.toContain("git_status");
  });
});

describe("a search for tools", () => {
  it.each([
    ["list folders", ["list_folder"]],
    ["web", ["web_fetch"]],
    ["FETCH url", ["web_fetch"]],
    ["listFolder", ["list_folder"]],
    ["calendar", ["calendar_add"]],
  ])("a search for tools: %s", async (query, found) => {
    const toolbox = boxFor(8_192);
    const before = toolbox.specs;
    const { baseChars } = toolbox;
    const text = await search(toolbox, query);
    expect(names(toolbox)).toEqual(["read", "write", "bash", "tool_search", ...found]);
    expect(toolbox.specs.slice(0, before.length)).toEqual(before);
    expect(text.startsWith(`Among your tools from now on: ${found.join(", ")}\n\n`)).toBe(true);
    for (const name of found) expect(text).toContain(`${name}: `);
    // It comes with the tools of the next request.
    expect(text).not.toContain("Arguments:");
    expect(toolbox.chars).toBe(JSON.stringify(toolbox.specs).length);
    expect(toolbox.baseChars).toBe(baseChars);
    expect(toolbox.hidden.map(({ name }) => name)).not.toContain(found[0]);
  });

  it.each(["", "?", "quantum", "x".repeat(10_000)])(
    "a search for tools that finds nothing lists all hidden ones: %s",
    async (query) => {
      const toolbox = boxFor(8_192);
      const text = await search(toolbox, query);
      expect(text).toMatch(/^No tool matches `.{0,100}`\. There are: list_folder, web_fetch, calendar_add\.$/);
      expect(names(toolbox)).toHaveLength(4);
    },
  );

  it("a search for tools that is made again does not offer a tool twice", async () => {
    const toolbox = boxFor(8_192);
    await search(toolbox, "web");
    const { specs } = toolbox;
    await search(toolbox, "web");
    expect(toolbox.specs).toBe(specs);
  });

  it("a search for tools says so where all tools are offered", async () => {
    expect(await search(boxFor(64_000, memoryTools()), "web")).toBe("There are no more tools than you have.");
  });

  it("a search for tools offers only what the budget has room for, and describes the rest in its result", async () => {
    const many = Array.from({ length: 60 }, (_, n) => described(`plugin_${n}`, "Does files. ".repeat(20), "if-room"));
    const toolbox = boxFor(8_192, [...memoryTools(), ...many]);
    let result = "";
    for (let n = 0; n < 12; n += 1) result = await search(toolbox, "files");
    expect(toolbox.chars).toBeLessThanOrEqual(promptBudget(8_192).maxToolChars);
    expect(names(toolbox).length).toBeGreaterThan(5);
    expect(result).toContain("Call by name, though not in your list of tools:");
    expect(result).toContain('Arguments: {"type":"object"');
    for (const name of names(toolbox)) expect(result).not.toContain(`${name}: `);
  });
});

describe("tools that were found", () => {
  const hidden = { ...described("web_fetch", "Fetches a page.", "if-room") };
  const tools = [...memoryTools(), hidden];
  const contextWindow = 8_192;
  const offered = (memory: MemorySession) => memory.provider.requests.map((each) => each.tools.map(({ name }) => name));
  const searching = calling(call("a", "tool_search", { query: "fetch page" }));

  it("tools that were found are there again when the session is opened again", async () => {
    const memory = new MemorySession({ script: [searching, saying("found")], tools, contextWindow });
    await memory.say("go");
    const again = new MemorySession({ script: [saying("x")], tools, contextWindow, log: memory.log });
    await again.say("on");
    expect(offered(again)[0]).toEqual(offered(memory).at(-1));
    expect(offered(again)[0]?.at(-1)).toBe("web_fetch");
  });

  it.each([
    ["a search that is kept", searching],
    ["a call by name that is kept", calling(call("b", "web_fetch", {}))],
  ])("tools that were found stay after a compaction: %s", async (_name, replies) => {
    const memory = new MemorySession({
      script: (request, n) => (request.priority === "background" ? saying("sum") : n === 6 ? replies : saying("ok")),
      tools,
      contextWindow,
    });
    for (let n = 0; n < 9; n += 1) await memory.say(`message ${n}`);
    expect(await memory.session.compact()).toHaveProperty("tokensAfter");
    await memory.say("now?");
    expect(offered(memory).at(-1)).toContain("web_fetch");
  });
});
