import type { AgentDefinition } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { agentText } from "./agent-text.ts";
import { readAgent } from "./read-agent.ts";

const file = (lines: string, prompt = "You review.") => `---\ndescription: Reviews.\n${lines}\n---\n\n${prompt}\n`;
const base = { name: "reviewer", description: "Reviews.", prompt: "You review." };

describe("the file of an agent", () => {
  it.each<[string, string, Partial<AgentDefinition>]>([
    ["nothing but a description", "", {}],
    ["a name", "name: other", { name: "other" }],
    ["tools with commas", "tools: Read, Grep,Bash(git log:*)", { tools: ["Read", "Grep", "Bash(git log:*)"] }],
    ["tools with spaces", "tools: read grep", { tools: ["read", "grep"] }],
    ["tools as a list", "tools:\n- read", { tools: ["read"] }],
    ["tools as a list with comments", "tools:\n- read # only", { tools: ["read"] }],
    ["one tool with a comment", "tools: read # only", { tools: ["read"] }],
    ["all tools", "tools: '*'", {}],
    ["no tools", "tools: []", { tools: [] }],
    ["tools that it does not have", "disallowedTools: Write", { disallowedTools: ["Write"] }],
    ["iterations, under the name that other programs use", "max_iterations: 25", { budget: { turns: 25 } }],
    ["turns, as Claude Code has them", "maxTurns: 7", { budget: { turns: 7 } }],
    [
      "all limits",
      "limits:\n  turns: 5\n  tokens: 50_000\n  seconds: 60\n  usd: 0.25",
      { budget: { turns: 5, tokens: 50_000, seconds: 60, usd: 0.25 } },
    ],
    ["a model", "model: openrouter/qwen/qwen3", { model: "openrouter/qwen/qwen3" }],
    ["the model of who starts it", "model: inherit", {}],
    ["a mode by its alias", "mode: plan", { mode: "planning" }],
    ["a permission mode of Claude Code", "permissionMode: acceptEdits", { permissionMode: "accept-edits" }],
    ["a permission mode of ours", "permission_mode: accept-edits", { permissionMode: "accept-edits" }],
    ["a permission mode of older versions", "permission_mode: auto", { permissionMode: "allow-all" }],
    ["plan mode, which changes nothing", "permissionMode: plan", { permissionMode: "deny" }],
    ["work in the background", "background: true", { background: true }],
    ["a worktree, as Claude Code has it", "isolation: worktree", { worktree: true }],
    ["hooks of Claude Code", "hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: x", {}],
    ["keys that only others know", "color: red\nskills: [a]\nhooks:\n  PreToolUse: x", {}],
  ])("the file of an agent may have %s", (_what, lines, wanted) => {
    expect(readAgent(file(lines), "reviewer")).toEqual({ definition: { ...base, ...wanted }, notes: [] });
  });

  it.each<[string, string, string]>([
    ["---\nname: x\n---\nprompt", "x", "it has no description"],
    ["no frontmatter", "x", "it has no description"],
    [file("", " "), "x", "it has no prompt: write it below the second ---"],
    [file(""), "-x", 'the name "-x" is not valid'],
    [file("name: a/b"), "x", 'the name "a/b" is not valid'],
    [file("name: agent-1"), "x", "the name agent-1 is reserved for messages between agents"],
    [file(""), "Parent", "the name Parent is reserved for messages between agents"],
    [file("mode: turbo"), "x", "there is no mode turbo: casual, planning, research or agent"],
    [file("permissionMode: yolo"), "x", "there is no permission mode yolo: default"],
    [file("max_turns: many"), "x", "the limit turns must be a number above 0"],
    [file("limits:\n  usd: -1"), "x", "the limit usd must be a number above 0"],
    [file("limits:\n  - a\n  b"), "x", "line 3: the value of limits cannot be read"],
    [file("background: perhaps"), "x", "background must be true or false"],
    [file("tools:\n  a: b"), "x", 'tools must be a list such as "read, grep"'],
  ])("the file of an agent that cannot be used says why: %j", (text, name, wanted) => {
    expect(readAgent(text, name)).toEqual({ problem: expect.stringContaining(wanted) });
  });

  it("the file of an agent may name a model of another program, which is said and not taken", () => {
    expect(readAgent(file("model: sonnet"), "reviewer")).toEqual({
      definition: base,
      notes: ["model sonnet is unknown here: it uses the model of the agent that starts it"],
    });
  });

  it("the file of an agent has its description in one line, without control characters, and cut where it is long", () => {
    const read = readAgent(`---\ndescription: a\\n\\n<example>\u001b[31m ${"x".repeat(2_000)}\n---\nprompt`, "x");
    const description = "definition" in read ? read.definition.description : "";
    expect(description.startsWith("a <example> [31m xxx")).toBe(true);
    expect(description).toHaveLength(1_000);
  });

  it("the file of an agent that was written is read back the same", () => {
    const definition: AgentDefinition = {
      name: "code-reviewer",
      description: 'Reviews: "all" # of it',
      prompt: "You review.\n\n---\n\n- a",
      tools: ["read", "bash(git log:*, x)"],
      disallowedTools: ["write"],
      model: "ollama/qwen3:30b",
      mode: "planning",
      permissionMode: "deny",
      budget: { turns: 5, usd: 0.5 },
      background: true,
      worktree: true,
    };
    expect(readAgent(agentText(definition), "other")).toEqual({ definition, notes: [] });
    expect(readAgent(agentText({ ...base, tools: [] }), "other")).toEqual({
      definition: { ...base, tools: [] },
      notes: [],
    });
  });
});
