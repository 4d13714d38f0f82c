import type { AgentDefinition } from "@harness/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editedAgentText } from "./edit-agent-text.ts";
import { readAgent } from "./read-agent.ts";

const file = (lines: string) => `---\nname: reviewer\ndescription: Reviews.\n${lines}\n---\n\nYou review.\n`;
const meanings: Readonly<Record<string, string>> = { Read: "read", Grep: "grep", Edit: "edit", MultiEdit: "edit" };
const meaningOf = (name: string) => meanings[name] ?? name;

function read(text: string): AgentDefinition {
  const found = readAgent(text, "reviewer");
  if ("problem" in found) throw new Error(found.problem);
  return found.definition;
}

const edited = (text: string, change: Partial<Record<keyof AgentDefinition, unknown>>, before = read(text)) =>
  editedAgentText(text, { ...before, ...change } as AgentDefinition, { fileName: "reviewer", meaningOf });

describe("a changed file of an agent", () => {
  it.each<[string, string, Partial<Record<keyof AgentDefinition, unknown>>, string]>([
    [
      "a new model behind keys that only others know",
      "color: red # ours",
      { model: "x" },
      "color: red # ours\nmodel: x",
    ],
    ["a changed model and its comment", "model: a # fast\ncolor: red", { model: "b" }, "model: b # fast\ncolor: red"],
    ["no model", "# about\nmodel: a\n\n# of it\ncolor: red", { model: undefined }, "# about\n\n# of it\ncolor: red"],
    ["a model of another program", "model: sonnet", { mode: "planning" }, "model: sonnet\nmode: planning"],
    ["tools in another order", "tools: Read, Grep", { tools: ["grep", "read"] }, "tools: Read, Grep"],
    ["tools by other names", "tools: Edit, MultiEdit", { tools: ["edit"] }, "tools: Edit, MultiEdit"],
    ["one tool more", "tools: Read, Grep # few", { tools: ["read", "grep", "bash"] }, "tools: Read, Grep, bash # few"],
    ["one tool less", "tools: Read, Grep", { tools: ["grep"] }, "tools: Grep"],
    ["tools that hold a comma", "tools: Read", { tools: ["Read", "bash(a, b)"] }, 'tools: [Read, "bash(a, b)"]'],
    ["tools in brackets", "tools: [Read]", { tools: ["read", "grep"] }, "tools: [Read, grep]"],
    [
      "tools in lines of their own",
      "tools: # few\n  # looks\n  - Read # all\n  - Grep\ncolor: red",
      { tools: ["read", "bash"] },
      "tools: # few\n  # looks\n  - Read # all\n  - bash\ncolor: red",
    ],
    ["no tools", "tools: Read", { tools: [] }, "tools: []"],
    ["all tools", "tools: Read\ncolor: red", { tools: undefined }, "color: red"],
    [
      "a permission mode of Claude Code",
      "permissionMode: plan",
      { permissionMode: "allow-all" },
      "permissionMode: bypassPermissions",
    ],
    [
      "a permission mode of ours",
      "permission_mode: plan",
      { permissionMode: "allow-all" },
      "permission_mode: allow-all",
    ],
    ["turns of Claude Code", "maxTurns: 7 # few", { budget: { turns: 9 } }, "maxTurns: 9 # few"],
    ["no turns", "maxTurns: 7\ncolor: red", { budget: undefined }, "color: red"],
    [
      "limits in lines",
      "limits:\n  turns: 5 # few\n  usd: 1",
      { budget: { turns: 6, tokens: 10 } },
      "limits:\n  turns: 6 # few\n  tokens: 10",
    ],
    [
      "limits in one line",
      "limits: {turns: 5, usd: 1}",
      { budget: { usd: 2, tokens: 3 } },
      "limits: {usd: 2, tokens: 3}",
    ],
    ["no limits", "limits:\n  turns: 5\ncolor: red", { budget: undefined }, "color: red"],
    ["a worktree of Claude Code", "isolation: worktree\ncolor: red", { worktree: undefined }, "color: red"],
    ["work in the background", "background: false", { background: true }, "background: true"],
  ])("has %s, and is the same otherwise", (_what, lines, change, wanted) => {
    const after = edited(file(lines), change);
    expect(after).toBe(file(wanted));
    const { name, description, prompt } = read(after);
    expect([name, description, prompt]).toEqual(["reviewer", "Reviews.", "You review."]);
  });

  it("is the same where nothing has changed, to the byte", () => {
    const texts = [
      "\ufeff---\r\ndescription: >-\r\n  Reviews\r\n  all.\r\ncolor: red\r\n---\r\n\r\nYou review.\r\n\r\n",
      `${file("hooks:\n  PreToolUse:\n    - matcher: Bash\ncolor: red")}\n\n`,
      "---\ndescription: D.\n---\nprompt without end",
    ];
    for (const text of texts) expect(edited(text, {})).toBe(text);
  });

  it("has another description and prompt in lines as the others end", () => {
    const text = "---\r\ndescription: >-\r\n  Reviews\r\n  all.\r\ncolor: red\r\n---\r\n\r\nYou review.\r\n";
    expect(edited(text, { description: "New: all", prompt: "One.\nTwo." })).toBe(
      '---\r\ndescription: "New: all"\r\ncolor: red\r\n---\r\n\r\nOne.\r\nTwo.\r\n',
    );
  });

  it("can be used again where it could not be", () => {
    const definition = read(file(""));
    expect(edited(file("mode: turbo\ncolor: red"), {}, definition)).toBe(file("color: red"));
    expect(edited("no frontmatter", {}, definition)).toBe(file("").replace("\n\n---", "\n---"));
  });

  it("is read back as what was to be saved, whatever there was before", () => {
    const some = fc.constantFrom("read", "Read", "grep", "Edit", "bash(a, b)", "x y");
    const part = fc.record(
      {
        tools: fc.array(some, { maxLength: 3 }),
        model: fc.constantFrom("a", "b/c:d", "e # f"),
        mode: fc.constantFrom("planning", "casual"),
        permissionMode: fc.constantFrom("deny", "allow-all"),
        budget: fc.record(
          { turns: fc.integer({ min: 1, max: 99 }), usd: fc.constantFrom(0.5, 2), tokens: fc.constant(7) },
          { requiredKeys: [] },
        ),
        background: fc.constant(true),
        worktree: fc.constant(true),
      },
      { requiredKeys: [] },
    );
    const forms = fc.constantFrom(
      "",
      "tools: Read, Grep # c\nmaxTurns: 3\nisolation: worktree",
      "tools:\n- Read\n- Grep\nlimits: {turns: 1, max_turns: 2, usd: 3}",
      "limits:\n  turns: 1\n\n  # c\n  usd: 3\npermissionMode: dontAsk\nbackground: yes",
      "tools: [Read]\nbudget:\n  usd: 1\nmax_turns: 4\nmodel: 'q' # r",
    );
    fc.assert(
      fc.property(forms, part, (lines, change) => {
        const base = { name: "reviewer", description: "Reviews.", prompt: "You review." };
        const wanted = { ...base, ...change } as AgentDefinition;
        const after = read(
          editedAgentText(file(`color: red # c\n${lines}`), wanted, { fileName: "reviewer", meaningOf }),
        );
        const plain = ({ tools, budget = {}, ...rest }: AgentDefinition) => ({
          ...rest,
          budget,
          tools: tools && new Set(tools.map(meaningOf)),
        });
        if (wanted.model !== "e # f") expect(plain(after)).toEqual(plain(wanted));
      }),
    );
  });
});
