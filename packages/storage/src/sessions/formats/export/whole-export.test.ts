import { memoryPages } from "@harness/core";
import { type Fact, ROOT_AGENT, type StoredFact } from "@harness/protocol";
import { sampleFacts } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { AtifTrajectory } from "../../../../test/atif-schema.ts";
import { exportWriters } from "./export-formats.ts";
import type { ExportSource } from "./export-source.ts";

const header = { sessionId: "20261121-143022-x7f3", cwd: "/p", createdAt: "2026-11-21T13:30:22.000Z", version: 1 };

type Line = Fact | { by: string; update: Fact };
function sessionOf(said: readonly Line[], more: Partial<ExportSource> = {}): ExportSource {
  const facts = said.map((each, index): StoredFact => {
    const { by, update } = "update" in each ? each : { by: ROOT_AGENT, update: each };
    return { seq: index + 1, at: header.createdAt, agentId: by, update };
  });
  const hiding = { hide: (text: string) => text, open: () => 0, leave: () => undefined };
  return { header, title: "x", version: "1", pages: memoryPages(() => facts), savedTexts: [], ...hiding, ...more };
}
const exported = (format: "md" | "html", said: readonly Line[]) =>
  [...exportWriters[format].write(sessionOf(said))].join("");
const trajectoryOf = (said: readonly Line[], more: Partial<ExportSource> = {}) =>
  AtifTrajectory.parse(JSON.parse([...exportWriters.atif.write(sessionOf(said, more))].join("")));

const asks = (text: string, more: object = {}): Fact => ({
  sessionUpdate: "user_message",
  ...{ messageId: `m-${text}`, content: [{ type: "text", text }], origin: "user" },
  ...more,
});
const answers = (text: string, calls: readonly string[] = [], more: object = {}): Fact => ({
  sessionUpdate: "agent_message",
  messageId: `a-${text}`,
  parts: [
    { type: "text", text },
    ...calls.map((toolCallId) => ({ type: "tool_call" as const, toolCallId, name: "bash", input: {} })),
  ],
  ...{ stop: "end", provider: "local", model: "m", cost: { usd: 1, unpricedRequests: 0 } },
  ...more,
});
const ends = (toolCallId: string, text: string, more: object = {}): Fact => ({
  sessionUpdate: "tool_call_update",
  ...{ toolCallId, title: `run ${toolCallId}`, status: "completed" },
  outcome: { status: "ok", text, blocks: [], durationMs: 1 },
  ...more,
});
const byPerson = (id: string, command: string, text: string) => ends(id, text, { byPerson: { command, share: true } });
const child = (childAgentId: string, state: string, more: object = {}): Fact =>
  ({ sessionUpdate: "subagent_update", childAgentId, state, task: `task of ${childAgentId}`, ...more }) as Fact;
const rewind = (fromSeq: number): Fact => ({
  sessionUpdate: "rewind_update",
  ...{ rewindId: "r", kind: "rewind", turnIds: [], files: [], fromSeq },
});
const idle = (more: object): Fact => ({ sessionUpdate: "state_update", state: "idle", ...more }) as Fact;

const endings: readonly (readonly [object, string])[] = [
  [{ stopReason: "cancelled" }, "The turn was stopped."],
  [{ stopReason: "error", error: { kind: "network", message: "No route." } }, "The turn failed. No route."],
  [{ stopReason: "max_tokens" }, "longest length"],
  [{ stopReason: "end_turn", output: "Said by a hook." }, "Said by a hook."],
];

describe("a trajectory", () => {
  it("keeps the result of a call while something else is said or done", () => {
    const { steps } = trajectoryOf([
      asks("go"),
      answers("I look.", ["c1", "c2"]),
      ends("c1", "one"),
      asks("be quick"),
      byPerson("p", "date", "today"),
      { ...sampleFacts.compaction_update, summary: "short" },
      ends("c2", "two"),
      answers("Done."),
    ]);
    expect(steps.map(({ source, message }) => [source, message])).toEqual([
      ["user", "go"],
      ["agent", "I look."],
      ["user", "be quick"],
      ["user", "! date\ntoday"],
      ["system", "short"],
      ["agent", "Done."],
    ]);
    expect(steps[1]?.observation?.results.map(({ content }) => content)).toEqual(["one", "two"]);
  });

  it("marks what a rewind has hidden, with its subagents, and what is of the session that it was forked from", () => {
    const said = [
      asks("shared"),
      answers("shared answer"),
      asks("mistake"),
      child("k1", "running"),
      { by: "k1", update: answers("inside") },
      child("k1", "completed"),
      rewind(3),
      asks("again"),
    ];
    const parent = { sessionId: "20261120-143022-x7f3", seq: 2 };
    const {
      steps,
      final_metrics,
      subagent_trajectories: inside,
    } = trajectoryOf(said, { header: { ...header, parent } });
    expect(steps.map(({ message, is_copied_context, extra }) => [message, is_copied_context, extra?.rewound])).toEqual([
      ["shared", true, undefined],
      ["shared answer", true, undefined],
      ["mistake", undefined, true],
      ["again", undefined, undefined],
    ]);
    expect(inside?.[0]?.steps[0]?.extra?.rewound).toBe(true);
    expect(final_metrics?.total_cost_usd).toBe(0);
  });

  it("has no cost where that of one reply is unknown", () => {
    const { steps, final_metrics } = trajectoryOf([asks("x"), answers("y"), answers("z", [], { cost: undefined })]);
    expect(steps[1]?.metrics?.cost_usd).toBe(1);
    expect(steps[2]?.metrics).toBeUndefined();
    expect(final_metrics).not.toHaveProperty("total_cost_usd");
  });

  it.each(endings)("tells how a turn ended: %j", (end, text) => {
    const { steps } = trajectoryOf([asks("x"), answers("y"), idle(end)]);
    expect(steps).toHaveLength(3);
    expect(steps[2]?.message).toContain(text);
  });
});

describe.each(["md", "html"] as const)("as %s, a session", (format) => {
  it.each(endings)("tells how a turn ended: %j", (end, text) => {
    expect(exported(format, [asks("x"), answers("y"), idle(end)])).toContain(text);
    expect(exported(format, [asks("x"), answers("y"), idle({ stopReason: "end_turn" })])).not.toContain("The turn");
  });

  it("shows a subagent once, with its state, and its result once", () => {
    const said = [
      asks("x"),
      answers("y", ["c1"]),
      child("k1", "running", { toolCallId: "c1" }),
      child("k1", "failed", { toolCallId: "c1", output: "the result of it" }),
      child("k1", "failed", { toolCallId: "c1", output: "the result of it", worktree: undefined }),
      ends("c1", "the result of it"),
    ];
    const text = exported(format, said);
    expect(text.split("the result of it")).toHaveLength(2);
    expect(text).toMatch(/task of k1(?: \(failed\)|<.*failed)/);
  });

  it("has lines of any kind, and no control characters", () => {
    const text = exported(format, [
      asks("a\r\nb\rc\x1b[31m\u202e"),
      answers("d\r\n```\r\ne\r\n```\r\nf"),
      ends("c", "g\r\nh\x07", { title: "i\x1b]0;j\x07" }),
    ]);
    for (const lines of ["a\nb\nc", "g\nh"]) expect(text.replaceAll("> ", "").replaceAll("  ", "")).toContain(lines);
    expect(text).not.toMatch(/[\p{Cc}\p{Bidi_Control}](?<!\n)/u);
  });

  it("may have a million runs of backticks", () => {
    const text = exported(format, [asks("x"), ends("c", "`a".repeat(1_000_000))]);
    expect(text.length).toBeGreaterThan(2_000_000);
  });
});

describe("Markdown", () => {
  it("tells who speaks, how a call ended, and that a reply was cut", () => {
    const text = exported("md", [
      asks("do it"),
      asks("take this", { origin: "agent", fromAgentId: "k1" }),
      answers("I w", [], { stop: "cut" }),
      ends("c1", "no", { outcome: { status: "denied", text: "no", blocks: [], durationMs: 1 } }),
      byPerson("p", "ls", "a.ts"),
    ]);
    expect(text).toContain("> do it\n\n> *From another agent:*\n> \n> take this");
    expect(text).toContain("I w\n\n*(stopped)*");
    expect(text).toContain("- run c1 (denied)");
    expect(text).toContain("- ! run p");
  });

  it("closes fences that a text leaves open", () => {
    for (const open of ["```ts\nlet a", "~~~\na\n```", "````\n```\na"]) {
      const text = exported("md", [asks("x"), answers(open), asks("y")]);
      const [fence = ""] = /^(`+|~+)/.exec(open) ?? [];
      expect(text).toBe(`> x\n\n${open}\n${fence}\n\n> y\n`);
    }
    expect(exported("md", [asks("x"), answers("```\na\n```")])).toBe("> x\n\n```\na\n```\n");
  });
});

describe("HTML", () => {
  it("has no subagents of turns that a rewind has hidden", () => {
    const page = exported("html", [
      asks("one"),
      child("k0", "running"),
      { by: "k0", update: answers("kept inside") },
      asks("mistake"),
      child("k1", "running"),
      { by: "k1", update: answers("hidden inside") },
      { by: "k1", update: child("k2", "running") },
      { by: "k2", update: answers("hidden deeper") },
      rewind(4),
    ]);
    expect(page).toContain("kept inside");
    expect(page).not.toMatch(/hidden inside|hidden deeper|task of k1/);
  });
});
