import { applyUpdate, emptySession, type SessionState, type StoredFact } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { questionOf, subagent as started, worktreeIn } from "../../test/agent-samples.ts";
import { FRAME_AT, type FrameSize, frameOf } from "../../test/frame.ts";
import { agentLines } from "../overlays/agents/agent-lines.ts";
import type { AgentTree } from "../overlays/agents/state.ts";
import type { AppState } from "../state/app-state.ts";
import { permissionDialog } from "../state/dialogs.ts";

type Update = StoredFact["update"];
const say = (text: string): Update => ({
  sessionUpdate: "agent_message",
  messageId: text,
  parts: [{ type: "text", text }],
  stop: "end",
  usage: { inputTokens: 12_000, outputTokens: 345 },
  cost: { usd: 0.02, unpricedRequests: 0 },
  provider: "ollama",
  model: "qwen3-coder",
});
const message = (
  messageId: string,
  text: string,
  from: Partial<Extract<Update, { sessionUpdate: "user_message" }>>,
): Update => ({
  sessionUpdate: "user_message",
  messageId,
  origin: "user",
  content: [{ type: "text", text }],
  ...from,
});
const call = (title: string): Update => ({
  sessionUpdate: "tool_call_update",
  toolCallId: title,
  name: "bash",
  title,
  status: "in_progress",
});
const running: Update = { sessionUpdate: "state_update", state: "running" };

/** Facts, each with the agent whose log contains it. */
function sessionWith(facts: readonly (readonly [agentId: string, update: Update])[]): SessionState {
  const session = emptySession("s1");
  facts.forEach(([agentId, update], at) => {
    applyUpdate(session, { sessionId: "s1", seq: at + 1, at: FRAME_AT, agentId, update });
  });
  return session;
}

const siblings = () =>
  sessionWith([
    ["main", message("m1", "Find out who calls parse() and what it costs.", {})],
    ["main", running],
    ["main", started("agent-1", "Find the callers of parse()", { name: "explorer" })],
    ["main", started("agent-2", "Measure parse() on large files", { background: true })],
    ["agent-1", running],
    ["agent-1", message("t1", "Find the callers of parse()", { origin: "subagent", fromAgentId: "main" })],
    ["agent-1", say("I look at the imports first.")],
    ["agent-1", call("bash grep -rn parse src")],
    ["agent-1", started("agent-3", "Read the tests", {})],
    ["agent-3", running],
    ["agent-3", say("Two tests call it.")],
    ["agent-1", started("agent-3", "Read the tests", { state: "completed", output: "Two tests call it." })],
    ["agent-2", running],
    ["agent-1", { sessionUpdate: "inbox_update", messageId: "i1", state: "queued", fromAgentId: "agent-2", text: "?" }],
    ["agent-1", message("i0", "Do you know which files are large?", { origin: "agent", fromAgentId: "agent-2" })],
    ["main", { sessionUpdate: "state_update", state: "waiting" }],
  ]);

const sizes: readonly FrameSize[] = [
  [80, 24],
  [200, 60],
];

function treeOf(session: SessionState, changes: Partial<AgentTree> = {}) {
  const lines = agentLines(session, { canStop: true });
  const nowMs = Date.parse(FRAME_AT) + 62_000;
  return { kind: "agents" as const, lines, marked: "agent-1", asked: undefined, said: undefined, nowMs, ...changes };
}

/** Characters that must not reach a terminal from the texts of these tests. */
const controls = /\p{Cc}|\u202e/u;

describe("the tree of agents", () => {
  it.each(sizes)("%i×%i", (columns, rows) => {
    const session = siblings();
    expect(frameOf([columns, rows], { session, overlay: treeOf(session) })).toMatchSnapshot();
  });

  it("asks before it stops an agent, in words", () => {
    const session = siblings();
    const lines = frameOf([80, 24], {
      session,
      overlay: treeOf(session, { question: { agentId: "agent-1", what: "stop" } }),
    });
    expect(lines.at(-1)).toBe(" Press s again to stop agent-1 and the agents below it.");
  });

  it("shows as many as fit around the marked one, and how many are above and below", () => {
    const many = sessionWith(
      Array.from({ length: 40 }, (_, n) => ["main", started(`agent-${n + 1}`, `part ${n + 1}`)] as const),
    );
    const lines = frameOf([40, 12], { session: many, overlay: treeOf(many, { marked: "agent-20" }) });
    expect(lines.some((line) => line.includes("agent-20"))).toBe(true);
    expect(lines[0]).toMatch(/↑ \d+ more {2}↓ \d+ more/);
    expect(lines).toHaveLength(12);
  });

  it("never lets a task or a result move the cursor or break the rows", () => {
    const bad = sessionWith([
      ["main", started("agent-1", "a\u001b[2J\nb\u202e", { name: "x\u0007" })],
      ["main", started("agent-1", "a", { state: "failed", output: "\u001b]0;t\u0007\r\nout" })],
    ]);
    const text = frameOf([80, 24], { session: bad, overlay: treeOf(bad) }).join("");
    expect(text).not.toMatch(controls);
    expect(frameOf([80, 24], { session: bad, agentInView: "agent-1" }).join("")).not.toMatch(controls);
  });
});

describe("changes of an agent in a worktree of its own", () => {
  const shown = (state: "open" | "applied") => {
    const end = { state: "completed", output: "mended", worktree: worktreeIn(state) } as const;
    const session = sessionWith([
      ["main", started("agent-1", "mend it")],
      ["main", started("agent-1", "mend it", end)],
    ]);
    return frameOf([80, 24], { session, overlay: treeOf(session) });
  };

  it("are counted in the tree, with the keys that take or drop them until that is done", () => {
    expect(shown("open").join("\n")).toContain("3 files, +12 −4, not applied yet · mended");
    expect(shown("open").at(-1)).toBe(" ↑↓ move · Enter open · d diff · a apply · x drop · Esc close");
    expect(shown("applied").join("\n")).toContain("3 files, +12 −4, applied · mended");
    expect(shown("applied").at(-1)).toBe(" ↑↓ move · Enter open · Esc close");
  });

  it("are named below the agent in the transcript", () => {
    const output = "mended\n\nIt changed 3 files in its worktree:\n--- a/a.ts";
    const own = { output, answerLength: "mended".length };
    const end = { name: "fixer", state: "completed", ...own, worktree: worktreeIn("open") } as const;
    const lines = frameOf([80, 24], {
      session: sessionWith([
        ["main", started("agent-1", "mend it", { name: "fixer", background: true })],
        ["main", started("agent-1", "mend it", end)],
        ["main", started("agent-2", "watch", { background: true })],
      ]),
    });
    expect(lines.slice(0, 5)).toEqual([
      "◆ agent-1 (fixer) done  mend it",
      "  3 files, +12 −4, not applied yet · Ctrl+X A",
      "  mended",
      "",
      "◇ agent-2 running in the background  watch",
    ]);
  });
});

describe("an agent in view", () => {
  it.each(sizes)("%i×%i", (columns, rows) => {
    expect(frameOf([columns, rows], { session: siblings(), agentInView: "agent-1" })).toMatchSnapshot();
  });

  it("is named with the agents above it", () => {
    const [header] = frameOf([80, 24], { session: siblings(), agentInView: "agent-3" });
    expect(header).toContain("main › agent-1 › agent-3  Read the tests ");
    expect(header).toContain("completed");
  });

  it("does not hide a question of another agent, and says whose that is", () => {
    const dialog = { ...permissionDialog("s1", questionOf("main")), armed: true };
    const text = frameOf([80, 24], { session: siblings(), agentInView: "agent-1", dialogs: [dialog] }).join("\n");
    expect(text).toContain("The main agent asks (Ctrl+X A shows it).");
  });
});

describe("a frame", () => {
  /** Throws as soon as anything iterates over all agents, or reads the work of an agent that is not in view. */
  function guarded(session: SessionState, inView: readonly string[]): SessionState {
    const refuse = (): never => {
      throw new Error("a frame went through all agents");
    };
    for (const agent of session.agents.values())
      if (!inView.includes(agent.agentId)) agent.items = new Proxy(agent.items, { get: refuse, ownKeys: refuse });
    const { agents } = session;
    Object.assign(agents, {
      values: refuse,
      keys: refuse,
      entries: refuse,
      forEach: refuse,
      [Symbol.iterator]: refuse,
    });
    return session;
  }

  it("costs the same however many agents there were, and whatever they have done", () => {
    const ended = Array.from({ length: 50 }, (_, n) => [
      ["main", started(`agent-${n + 3}`, "look")] as const,
      [`agent-${n + 3}`, say("found")] as const,
      ["main", started(`agent-${n + 3}`, "look", { state: "completed" })] as const,
    ]).flat();
    const session = () =>
      sessionWith([
        ["main", running],
        ["main", started("agent-1", "read")],
        ["main", started("agent-2", "write")],
        ["agent-2", say("I write.")],
        ...ended,
      ]);
    // The strip shows the activity of the agent that has run longest.
    expect(frameOf([80, 24], { session: guarded(session(), ["main", "agent-1", "agent-2"]) }).join("\n")).toContain(
      "◇ 2 agents",
    );
    const child = frameOf([80, 24], { session: guarded(session(), ["agent-1", "agent-2"]), agentInView: "agent-2" });
    expect(child.join("\n")).toContain("I write.");
  });
});

describe("messages between agents", () => {
  it("are read with their sender, without the words for the model; those that wait are shown as such", () => {
    const prompt = { promptId: "p1", content: [{ type: "text" as const, text: "look in test too" }] };
    const session = sessionWith([
      ["main", started("agent-1", "look")],
      [
        "agent-1",
        message("i0", "MESSAGE from agent-2: which files?\nthe large ones", {
          origin: "agent",
          fromAgentId: "agent-2",
        }),
      ],
      ["agent-1", { sessionUpdate: "inbox_update", messageId: "i1", state: "queued", prompt }],
      [
        "agent-1",
        { sessionUpdate: "inbox_update", messageId: "i2", state: "queued", fromAgentId: "agent-2", text: "well?" },
      ],
    ]);
    const lines = frameOf([80, 24], { session, agentInView: "agent-1" });
    expect(lines.slice(1, 4)).toEqual(["▌ from agent-2:", "▌ which files?", "▌ the large ones"]);
    expect(lines).toContain(" sent with its next request: look in test too");
    expect(lines).toContain(" from agent-2, not read yet: well?");
  });

  it("that tell how a subagent ended are one line", () => {
    const result = (messageId: string, text: string) =>
      ["main", message(messageId, text, { origin: "subagent", fromAgentId: "agent-1" })] as const;
    const session = sessionWith([
      ["main", message("m1", "go", {})],
      result("r1", "SUBAGENT agent-1 COMPLETED: found\nmore"),
      result("r2", "SUBAGENT agent-1 FAILED: no route"),
    ]);
    const lines = frameOf([80, 24], { session });
    expect(lines).toContain("▌ agent-1 has reported.");
    expect(lines).toContain("▌ agent-1 has failed.");
  });
});

describe("the strip in Chat", () => {
  const strip = (changes: Partial<AppState>, session = siblings()) =>
    frameOf([80, 24], { session, ...changes }).find((line) => line.startsWith(" ◇") || line.includes("again"));

  it("counts the agents at work, and names the one that works longest with what it does", () => {
    expect(strip({})).toBe(" ◇ 2 agents · agent-1: Running grep -rn parse src · 12 s · Ctrl+X A opens");
    expect(strip({ agentInView: "agent-1" })).toBe(" ◇ 1 agent besides · agent-2 · 12 s · Ctrl+X A opens");
    expect(strip({}, sessionWith([["main", running]]))).toBeUndefined();
  });

  it("says what a second press would stop", () => {
    expect(strip({ stopArmed: true })).toBe(" 1 agent keeps running in the background. Esc again stops it too.");
    expect(strip({ stopArmed: true, agentInView: "agent-1" })).toBe(
      " Press Ctrl+C again to stop agent-1 and the agents below it.",
    );
  });
});

describe("tasks", () => {
  const todos = (count: number, done: number): Update => ({
    sessionUpdate: "todo_update",
    todos: Array.from({ length: count }, (_, n) => ({
      id: `${n}`,
      text: `task ${n + 1}`,
      status: n < done ? "completed" : n === done ? "in_progress" : "pending",
    })),
  });
  const lines = (update: Update, changes: Partial<AppState> = {}) =>
    frameOf([80, 24], {
      session: sessionWith([
        ["main", running],
        ["main", update],
      ]),
      ...changes,
    });

  it("are one row with the current one", () => {
    expect(lines(todos(7, 3)).find((line) => line.includes("3/7"))).toMatch(/^ ▶ 3\/7 · task 4 +Ctrl\+T opens$/);
  });

  it("are listed around the current one when opened", () => {
    const shown = lines(todos(20, 10), { todosOpen: true });
    const head = shown.findIndex((line) => line.startsWith(" Tasks 10/20  13 more"));
    expect(shown.slice(head + 1, head + 8)).toEqual([
      " ☑ task 8",
      " ☑ task 9",
      " ☑ task 10",
      " ▶ task 11",
      " ☐ task 12",
      " ☐ task 13",
      " ☐ task 14",
    ]);
  });

  it("go when all are done and the agent rests", () => {
    expect(lines(todos(2, 2)).some((line) => line.includes("2/2 · all done"))).toBe(true);
    expect(lines(todos(2, 2), { turnSinceMs: undefined }).some((line) => line.includes("2/2"))).toBe(false);
  });

  it("are those of the agent in view", () => {
    const session = sessionWith([
      ["main", started("agent-1", "look")],
      ["agent-1", todos(3, 1)],
    ]);
    expect(frameOf([80, 24], { session }).some((line) => line.includes("1/3"))).toBe(false);
    expect(frameOf([80, 24], { session, agentInView: "agent-1" }).some((line) => line.includes("1/3"))).toBe(true);
  });
});
