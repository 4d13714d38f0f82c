// The idle cost: the beginning of every request, measured on the real tools and a folder with long instructions.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { coreToolList } from "@harness/core";
import { AgentMode } from "@harness/protocol";
import { call, calling, MemorySession, saying } from "@harness/testkit";
import { builtinTools } from "@harness/tools";
import { afterAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "first-request-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { tools } = builtinTools({ toolTimeoutMs: 10_000, extraEnv: {} });
const instructionFiles = async () => [
  { path: "/home/someone/.config/harness/AGENTS.md", text: "Global rule. ".repeat(1_000) },
  { path: "/home/someone/service/AGENTS.md", text: "Local rule. ".repeat(1_000) },
];

async function firstRequest(contextWindow: number, hasInstructions: boolean, mode: AgentMode = "agent") {
  const memory = new MemorySession({
    script: [saying("hi")],
    tools,
    contextWindow,
    options: { mode },
    ...(hasInstructions ? { ports: { instructionFiles } } : {}),
  });
  await memory.say("hello");
  const [request] = memory.provider.requests;
  const chars = (request?.system.length ?? 0) + JSON.stringify(request?.tools).length;
  const search = request?.tools.find(({ name }) => name === "tool_search")?.description ?? "";
  return { names: request?.tools.map(({ name }) => name) ?? [], tokens: Math.ceil(chars / 4), chars, search };
}

describe("the first request", () => {
  it.each([
    [4_096, 1_365],
    [8_192, 1_500],
    [32_768, 4_000],
    [128_000, 8_000],
  ])("has, for a context window of %d, at most %d tokens of system text and tools", async (contextWindow, most) => {
    const bare = await firstRequest(contextWindow, false);
    const full = await firstRequest(contextWindow, true);
    process.stdout.write(
      `window ${contextWindow}: ${bare.tokens} tokens in an empty folder, ${full.tokens} with long instructions, at most ${most}; ${bare.names.length} tools\n`,
    );
    expect(full.tokens).toBeLessThanOrEqual(most);
    expect(bare.tokens).toBeLessThan(full.tokens);
  });

  it("offers six tools in a small context window, and in a large one all but those for processes that stay and those that are only found", async () => {
    expect((await firstRequest(8_192, false)).names).toEqual(["bash", "read", "write", "edit", "grep", "tool_search"]);
    const { names } = await firstRequest(32_768, false);
    const always = tools
      .filter(({ offer }) => offer === undefined || offer === "always" || offer === "if-room")
      .map(({ name }) => name);
    expect(names).toEqual([...always, "start_subagent", "tool_search"]);
  });

  it.each(
    AgentMode.options.flatMap((mode) => [
      [mode, 4_096, 1_365] as const,
      [mode, 8_192, 1_500] as const,
      [mode, 32_768, 4_000] as const,
    ]),
  )("in %s mode, for a context window of %d, stays within the same %d tokens", async (mode, contextWindow, most) => {
    const full = await firstRequest(contextWindow, true, mode);
    expect(full.tokens).toBeLessThanOrEqual(most);
    // The way out of a mode that only reads must be in view.
    if (mode === "planning" || mode === "research") expect(full.names).toContain("switch_mode");
  });

  it("has in an ample context window the everyday tools and at most 8,200 characters, which name every tool that it does not describe", async () => {
    const { chars, names, search } = await firstRequest(200_000, false);
    expect(chars).toBeLessThanOrEqual(8_200);
    for (const name of ["todo", "question", "ls", "web_search", "web_fetch", "send_message"])
      expect(names).toContain(name);
    const described = new Set(names);
    const offeredByThemselves = new Set(["process", "recall", "agent_changes"]);
    const all = [...tools.map(({ name }) => name), ...coreToolList().map(({ name }) => name)];
    // The last two are there if there are worktrees and skills.
    for (const name of all.filter(
      (each) => !described.has(each) && !offeredByThemselves.has(each) && each !== "skill",
    )) {
      expect(search).toContain(name);
    }
  });

  it("lets a model find tools that were not offered, and call them without an offer", async () => {
    const memory = new MemorySession({
      script: [
        calling(call("a", "addition", { a: 1, b: 2 })),
        calling(call("b", "tool_search", { query: "add numbers" })),
        calling(call("c", "addition", { a: 3, b: 4 })),
        saying("done"),
      ],
      tools,
      contextWindow: 8_192,
    });
    await memory.say("go");
    const outcomes = memory.facts("tool_call_update").flatMap(({ outcome }) => (outcome ? [outcome] : []));
    expect(outcomes.map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
    expect(outcomes[1]?.text).toMatch(/^Among your tools from now on: addition\n\naddition: Adds two numbers\.$/);
    const offered = memory.provider.requests.map((request) => request.tools.map(({ name }) => name).at(-1));
    expect(offered).toEqual(["tool_search", "tool_search", "addition", "addition"]);
    expect(memory.facts("agent_message").map(({ prefix }) => prefix?.break?.cause)).toEqual([
      undefined,
      undefined,
      "the list of tools changed: addition was added",
      undefined,
    ]);
  });
});
