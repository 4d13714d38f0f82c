import type { Effect } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { type CallFacts, callView } from "./call-view.ts";

const run = (command: string): Effect => ({ kind: "run", command, cwd: "/w" });
const call = (facts: Partial<CallFacts>): CallFacts => ({
  toolCallId: "c",
  name: "t",
  title: "t x",
  effects: [],
  ...facts,
});
const diff = {
  type: "diff" as const,
  path: "/w/a",
  change: "modify" as const,
  hunks: "@@ -4,3 +4,3 @@\n a\n-b\n+c\n d",
  added: 1,
  removed: 1,
};

describe("the kind of a call", () => {
  it.each<[string, Partial<CallFacts>]>([
    ["execute", { effects: [run("ls"), { kind: "write", path: "/w/a" }] }],
    [
      "edit",
      {
        effects: [
          { kind: "read", path: "/w/a" },
          { kind: "write", path: "/w/a" },
        ],
      },
    ],
    ["delete", { effects: [{ kind: "write", path: "/w/a" }], preview: [{ ...diff, change: "delete" }] }],
    ["read", { effects: [{ kind: "read", path: "/w/a" }] }],
    ["search", { effects: [{ kind: "read", path: "/w" }], input: { pattern: "x" } }],
    ["fetch", { effects: [{ kind: "reach", url: "https://x" }] }],
    ["other", { effects: [{ kind: "mcp", server: "s", tool: "t" }] }],
    ["other", {}],
  ])("is %s", (kind, facts) => {
    expect(callView(call(facts)).kind).toBe(kind);
  });
});

describe("the title of a call", () => {
  it.each([
    ["the command", { effects: [run("npm test")] }, "npm test"],
    ["all lines of it, as one", { effects: [run("a\nrm b")] }, "a\\nrm b"],
    ["its words", { title: "edit a.ts" }, "edit a.ts"],
    ["who calls", { agentName: "tester", effects: [run("ls")] }, "tester: ls"],
    ["nothing that a reader would not see", { effects: [run("ls \u202Ex")] }, "ls ⟨U+202E⟩x"],
  ])("is %s", (_what, facts, title) => {
    expect(callView(call(facts)).title).toBe(title);
  });
});

describe("the content of a call", () => {
  it("is each hunk of a diff, with the line where it changes something", () => {
    const hunks = `${diff.hunks}\n@@ -90,1 +90,2 @@\n x\n+y\n@@ 7 more lines are not shown @@`;
    const { content, locations } = callView(
      call({ effects: [{ kind: "write", path: "/w/a" }], preview: [{ ...diff, hunks }] }),
    );
    expect(content).toEqual([
      { type: "diff", path: "/w/a", oldText: "a\nb\nd\n", newText: "a\nc\nd\n" },
      { type: "diff", path: "/w/a", oldText: "x\n", newText: "x\ny\n" },
      { type: "content", content: { type: "text", text: "7 more lines are not shown." } },
    ]);
    expect(locations).toEqual([
      { path: "/w/a", line: 5 },
      { path: "/w/a", line: 91 },
    ]);
  });

  it("is a new file with no text before it, also an empty one", () => {
    const [content] = callView(call({ preview: [{ ...diff, change: "create", hunks: "" }] })).content;
    expect(content).toEqual({ type: "diff", path: "/w/a", oldText: null, newText: "" });
  });

  it("cannot end the block that a command is shown in", () => {
    const [content] = callView(call({ effects: [run("echo '```'\nrm x")] })).content;
    expect(content).toEqual({ type: "content", content: { type: "text", text: "````sh\necho '```'\nrm x\n````" } });
  });

  it("has what the gate found, and the place that is read", () => {
    const permission = { reason: "reads a.ts", notes: [{ kind: "warning" as const, text: "odd" }] };
    const view = callView(call({ effects: [{ kind: "read", path: "/w/a" }], input: { offset: 12 }, permission }));
    expect(view.locations).toEqual([{ path: "/w/a", line: 12 }]);
    expect(view.content).toEqual([{ type: "content", content: { type: "text", text: "reads a.ts\n- warning: odd" } }]);
  });
});
