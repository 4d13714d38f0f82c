import type { Permission, StoredFact } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { asking, FRAME_AT as at, frameOf, sessionOf } from "../../test/frame.ts";
import type { AppState } from "../state/app-state.ts";
import { type PermissionDialog, permissionDialog, questionDialog } from "../state/dialogs.ts";
import { emptyHistory } from "./history/state.ts";
import { emptyKeys } from "./settings/credentials-state.ts";
import { emptySettings } from "./settings/state.ts";

const permission: Permission = {
  permissionId: "p1",
  agentId: "main",
  toolCallId: "c2",
  tool: "bash",
  title: "bash npm test",
  reason: "runs a command",
  risk: "medium",
  effects: [{ kind: "run", command: "npm test", cwd: "/work/demo" }],
  preview: [
    {
      type: "terminal",
      command: Array.from({ length: 40 }, (_, line) => `echo ${line}`).join("\n"),
      output: "",
      exitCode: null,
      durationMs: 0,
    },
  ],
  options: [
    { optionId: "once", name: "Allow once", kind: "allow_once" },
    { optionId: "session", name: "Allow for this session", kind: "allow_session", covers: "npm test" },
    { optionId: "no", name: "Deny", kind: "reject_once" },
  ],
};

const session = (...more: StoredFact["update"][]) => sessionOf(...asking, ...more);

const dialog = (changes: Partial<Permission> = {}, more: Partial<PermissionDialog> = {}): PermissionDialog => ({
  ...permissionDialog("s1", { ...permission, ...changes }),
  armed: true,
  ...more,
});

const always = [...permission.options, { optionId: "a", name: "Always allow", kind: "allow_always" as const }];

describe("a permission dialog on a small screen", () => {
  it.each<[readonly [number, number], Partial<Permission>, string]>([
    [[80, 10], {}, "›y once · s session · n no · Esc stop"],
    [[80, 10], { options: always }, "›y once · r always · n no · Esc stop · m more"],
    [[59, 24], {}, "› y    Allow once"],
    [[24, 5], {}, "›y s n Esc"],
    [[24, 5], { options: always }, "›y r n Esc m"],
    [[40, 8], {}, "›y once · s session · n no"],
    [[40, 8], { options: always }, "›y once · r always · n no · Esc stop"],
    [[40, 8], { options: always }, "m more"],
    [[40, 8], { risk: "high" }, "y once · s session · ›n no"],
  ])("%j shows every answer", (size, changes, answers) => {
    const lines = frameOf(size, { dialogs: [dialog(changes)] });
    expect(lines.length).toBe(size[1]);
    expect(lines.find((line) => line.includes(answers))).toBeDefined();
    expect(lines.join("\n")).toContain("Run a command");
    expect(lines[0]?.startsWith("╭")).toBe(size[1] < 8);
  });

  it.each([
    [80, 24],
    [80, 18],
    [80, 17],
    [40, 30],
    [40, 8],
  ] as const)("%i×%i leaves the transcript a row, whatever else waits", (columns, rows) => {
    const queue = ["a", "b", "c", "d"].map((promptId) => ({
      promptId,
      text: promptId,
      delivery: "queue" as const,
      agentId: "main",
    }));
    const lines = frameOf([columns, rows], {
      session: session({
        sessionUpdate: "subagent_update",
        childAgentId: "tester",
        task: "run the tests",
        state: "running",
      }),
      dialogs: [dialog({ agentId: "tester" }), dialog()],
      outgoing: queue,
      notes: [{ severity: "error", text: "something went wrong" }],
    });
    expect(lines.length).toBe(rows);
    expect(lines.findIndex((line) => line.startsWith("╭"))).toBeGreaterThan(0);
    expect(lines.some((line) => line.includes("once"))).toBe(true);
  });

  it("40×8 shows a question with its answers and the field", () => {
    const question = questionDialog({
      sessionId: "s1",
      elicitationId: "e1",
      agentId: "main",
      message: "Which of the two?",
      options: [
        { optionId: "a", name: "The first" },
        { optionId: "b", name: "The second" },
      ],
      freeText: true,
    });
    const text = frameOf([40, 8], { dialogs: [{ ...question, armed: true }] }).join("\n");
    for (const each of ["Which of the two?", "1 The first", "2 The second", "Esc skips"]) expect(text).toContain(each);
  });
});

describe("a permission dialog", () => {
  it("says that the rest must be seen first", () => {
    const text = frameOf([80, 24], { dialogs: [dialog({}, { tooEarly: true })] }).join("\n");
    expect(text).toContain("End shows the rest, then answer");
  });

  it.each([
    [80, 24],
    [80, 10],
  ] as const)("of a subagent says whose it is and what for (%i×%i)", (columns, rows) => {
    const child = { childAgentId: "tester", task: "run the tests", state: "running" as const };
    const text = frameOf([columns, rows], {
      session: session({ sessionUpdate: "subagent_update", ...child }),
      dialogs: [dialog({ agentId: "tester" })],
    }).join("\n");
    expect(text).toContain("Agent tester asks (Ctrl+X A shows it), for its task: run the tests");
  });
});

describe("the preview of a stored session", () => {
  it("has the agent's words without the signs of Markdown, and the person's as they are", () => {
    const summary = { sessionId: "s8", cwd: "/work", preview: "x", createdAt: at, updatedAt: at };
    const sessions = [{ ...summary, turns: 1, subagents: 0, state: "stored" as const }];
    const parts = [
      { who: "user" as const, text: "make **it** so", seq: 1 },
      { who: "agent" as const, text: "## Done\n- `a.ts` is **new**", seq: 2 },
    ];
    const preview = { sessionId: "s8", at: undefined, parts };
    const text = frameOf([120, 24], { screen: "history", slices: { history: { ...emptyHistory, sessions, preview } } });
    expect(text.join("\n")).toMatch(/> make \*\*it\*\* so[\s\S]* Done *\n.* a\.ts is new/);
  });
});

describe("a question with a field for words", () => {
  const asked = questionDialog({
    ...{ sessionId: "s1", elicitationId: "q1", agentId: "main", message: "Which one?", freeText: true, multiple: true },
    options: ["EUR", "USD"].map((name) => ({ optionId: name, name })),
  });

  it("shows a number only as the mark", () => {
    const shown = { ...asked, armed: true, marked: 1, typed: asked.typed.insert("2") };
    const text = frameOf([80, 24], { dialogs: [shown] }).join("\n");
    expect(text).toContain("› 2 [ ] USD");
    expect(text).not.toContain("> 2");
    const words = { ...shown, typed: asked.typed.insert("2 of them") };
    expect(frameOf([80, 24], { dialogs: [words] }).join("\n")).toContain("> 2 of them");
  });

  it("asks before it says that none is selected", () => {
    const text = frameOf([80, 24], { dialogs: [{ ...asked, armed: true, asksNone: true }] }).join("\n");
    expect(text).toContain("Nothing is selected · Space selects · Enter sends “none of these”");
  });
});

describe("what waits", () => {
  const queued = (promptId: string) => ({ promptId, content: [{ type: "text" as const, text: `text ${promptId}` }] });

  it("is told apart: what joins the turn, and what comes after it", () => {
    const text = frameOf([80, 24], {
      session: session({ sessionUpdate: "queue_update", added: [queued("a"), queued("b")], removed: [] }),
      steering: new Set(["a"]),
    }).join("\n");
    expect(text).toContain("sent with the next step: text a");
    expect(text).toContain("sent after this turn: text b");
    expect(text).not.toContain("Enter in the empty input");
    expect(text).toContain("↑ edits the newest.");
  });

  it("names no key of the empty input while a dialog has the keys", () => {
    const text = frameOf([80, 30], {
      session: session({ sessionUpdate: "queue_update", added: [queued("a")], removed: [] }),
      dialogs: [dialog({})],
    }).join("\n");
    expect(text).toContain("text a");
    expect(text).not.toContain("edits the newest");
  });

  it("is shown before it is typed, as Enter and Tab are set", () => {
    const inputOf = (changes: Partial<AppState>) =>
      frameOf([80, 24], changes).findLast((line) => line.startsWith("> "));
    const running = { session: session({ sessionUpdate: "state_update", state: "running" }) };
    expect(inputOf(running)).toBe("> Enter sends with the next step · Tab after this turn");
    expect(inputOf({ ...running, screen: "home" })).toBe("> Ask anything · / commands · @ files");
    const views = [{ key: "enter_while_running", value: "queue" }] as never;
    const slices = { settings: { settings: { ...emptySettings, views }, keys: emptyKeys } };
    expect(inputOf({ ...running, slices })).toBe("> Enter sends after this turn · Tab with the next step");
  });

  it("after a stop says how it is sent", () => {
    const text = frameOf([80, 24], {
      turnSinceMs: undefined,
      session: session(
        { sessionUpdate: "queue_update", added: [queued("a")], removed: [] },
        { sessionUpdate: "state_update", state: "idle", stopReason: "cancelled" },
      ),
    }).join("\n");
    expect(text).toContain("waiting: text a");
    expect(text).toContain("Enter in the empty input sends the next one. ↑ edits the newest.");
  });
});

describe("the status line", () => {
  it.each([
    [0, "Retrying at once (2 of 5) · Too many requests."],
    [4000, "Retrying in 4 s (2 of 5) · Too many requests."],
  ])("after a failure, waiting %i ms", (delayMs, said) => {
    const error = { kind: "rateLimit" as const, message: "Too many requests." };
    const text = frameOf([80, 24], {
      session: session({ sessionUpdate: "retry", messageId: "m2", attempt: 2, maxAttempts: 5, delayMs, error }),
    }).join("\n");
    expect(text).toContain(said);
  });
});

describe("a running subagent", () => {
  it("shows since when it works and what it does", () => {
    const state = session({
      sessionUpdate: "subagent_update",
      childAgentId: "tester",
      task: "run the tests",
      state: "running",
    });
    const child = state.agents.get("tester");
    child?.items.push({ kind: "tool", id: "c9", name: "bash", title: "bash npm test", status: "in_progress", at });
    const lines = frameOf([80, 24], { session: state });
    expect(lines.join("\n")).toContain("◇ tester running  run the tests\n  12 s · Running npm test");
    if (child) child.live = { messageId: "m8", text: "First.\nAll of them pass", thinking: "", inputs: new Map() };
    expect(frameOf([80, 24], { session: state }).join("\n")).toContain("  12 s · All of them pass");
  });
});

describe("a session that is open elsewhere", () => {
  it("says so in Chat, in whole sentences", () => {
    const who = "Session s1 is already open (process 7, since 2026-11-22 00:36).";
    const reading = { why: "elsewhere", text: `${who} Close it there, or read it here.` } as const;
    const text = frameOf([50, 24], { reading, turnSinceMs: undefined }).join(" ").replace(/\s+/g, " ");
    expect(text).toContain(`Open elsewhere: reading only. ${who}`);
    expect(text).not.toContain("Close it there");
  });

  it("says in History why a session cannot be opened, in whole sentences", () => {
    const problem = "The session could not be opened: its file was written by a newer harness; update this one first.";
    const text = frameOf([50, 24], {
      screen: "history",
      slices: { history: { ...emptyHistory, sessions: [], problem } },
    })
      .join(" ")
      .replace(/\s+/g, " ");
    expect(text).toContain(problem);
  });
});
