import { call, calling, MemorySession, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { SessionValues } from "../../ports/session-ports.ts";

const asking = (answers?: string[], id = "q", question = "Which database?") =>
  call(id, "question", { question, ...(answers ? { answers } : {}) });
const limits = (questionTimeoutMs?: number): SessionValues["limits"] => ({
  maxTurns: 100,
  maxToolCalls: 50,
  ...(questionTimeoutMs === undefined ? {} : { questionTimeoutMs }),
});
const begin = (calls = [asking(["Postgres", "SQLite"])], questionTimeoutMs?: number) =>
  new MemorySession({ script: [calling(...calls), saying("ok")], options: { limits: limits(questionTimeoutMs) } });
const outcomes = (memory: MemorySession) =>
  memory.facts("tool_call_update").flatMap(({ outcome }) => (outcome ? [outcome] : []));
const isAsking = (fact: { sessionUpdate: string; state?: string }) =>
  fact.sessionUpdate === "state_update" && fact.state === "requires_action";

describe("an answer", () => {
  it.each<[string, string]>([
    ["1", "The person chose: Postgres"],
    [" 2 ", "The person chose: SQLite"],
    ["02", "The person chose: SQLite"],
    ["sqlite", "The person chose: SQLite"],
    ["POSTGRES", "The person chose: Postgres"],
    ["3", "The person chose: 3"],
    ["0", "The person answers: 0"],
    ["4", "The person answers: 4"],
    ["1.", "The person answers: 1."],
    [" Oracle, sadly ", "The person answers: Oracle, sadly"],
    ["  ", "The person answers: (nothing)"],
  ])("an answer chooses an option by number, id or name: %j", async (answer, text) => {
    const memory = begin([asking(["Postgres", "SQLite", "3"])]);
    memory.ports.asker.onQuestion = () => answer;
    await memory.say("go");
    expect(outcomes(memory)[0]).toMatchObject({ status: "ok", text });
  });
});

describe("a question of the agent", () => {
  it.each([
    ["2", "The person chose: SQLite"],
    ["sqlite", "The person chose: SQLite"],
    ["Neither.", "The person answers: Neither."],
  ])("a question of the agent answered with %j", async (answer, text) => {
    const memory = begin();
    memory.ports.asker.onQuestion = () => answer;
    await memory.say("go");
    expect(memory.ports.asker.questions).toEqual([
      {
        elicitationId: "question-1",
        agentId: "main",
        message: "Which database?",
        options: [
          { optionId: "1", name: "Postgres" },
          { optionId: "2", name: "SQLite" },
        ],
        freeText: true,
      },
    ]);
    expect(outcomes(memory)).toMatchObject([{ status: "ok", text }]);
    expect(memory.facts("state_update").map(({ state }) => state)).toEqual([
      "running",
      "requires_action",
      "running",
      "idle",
    ]);
  });

  it("a question of the agent needs no options", async () => {
    const memory = begin([asking()]);
    memory.ports.asker.onQuestion = () => "Any.";
    await memory.say("go");
    expect(memory.ports.asker.questions[0]?.options).toEqual([]);
    expect(outcomes(memory)[0]?.text).toBe("The person answers: Any.");
  });

  it("a question of the agent that is declined, or that no one can answer, says so", async () => {
    const declined = begin();
    await declined.say("go");
    expect(outcomes(declined)[0]?.text).toBe(
      "The person declined to answer. Decide yourself, and say in your answer which assumption you made.",
    );
    expect(outcomes(declined)[0]?.blocks).toEqual([
      { type: "text", text: "Which database?\n→ You skipped this question." },
    ]);
    const alone = begin();
    alone.ports.asker.isThere = false;
    await alone.say("go");
    expect(outcomes(alone)[0]).toMatchObject({
      status: "ok",
      text: "Nobody can be asked here. Decide yourself, and say in your answer which assumption you made.",
    });
    expect(alone.facts("state_update").map(({ state }) => state)).toEqual(["running", "idle"]);
  });

  it("a question of the agent expires after its time", async () => {
    const memory = begin(undefined, 60_000);
    memory.ports.asker.onQuestion = () => new Promise(() => undefined);
    memory.prompt("go");
    await memory.untilFact(isAsking);
    expect(memory.ports.asker.questions[0]?.expiresAt).toBe("2026-11-21T12:01:00.000Z");
    memory.ports.clock.advance(59_999);
    expect(outcomes(memory)).toEqual([]);
    memory.ports.clock.advance(1);
    await memory.session.idle();
    expect(outcomes(memory)[0]).toMatchObject({
      status: "ok",
      text: "Nobody answered within 60 s. Decide yourself, and say in your answer which assumption you made.",
    });
    expect(memory.ports.clock.sleeping).toBe(0);
  });

  it("a question of the agent that was answered leaves no timer running", async () => {
    const memory = begin(undefined, 60_000);
    memory.ports.asker.onQuestion = () => "1";
    await memory.say("go");
    expect(memory.ports.clock.sleeping).toBe(0);
  });

  it("a question of the agent ends with its turn", async () => {
    const memory = begin();
    memory.ports.asker.onQuestion = () => new Promise(() => undefined);
    memory.prompt("go");
    await memory.untilFact(isAsking);
    memory.session.cancel();
    await memory.session.idle();
    expect(outcomes(memory)[0]?.status).toBe("cancelled");
    expect(memory.facts("state_update").at(-1)).toMatchObject({ state: "idle", stopReason: "cancelled" });
  });

  it("a question of the agent may be asked beside another, and the agent waits until both have an answer", async () => {
    const memory = begin([asking(["a"], "q1", "One?"), asking(["b"], "q2", "Two?")]);
    const open = new Map<string, (answer: string) => void>();
    const bothAsked = Promise.withResolvers<void>();
    memory.ports.asker.onQuestion = ({ message }) =>
      new Promise((resolve) => {
        open.set(message, resolve);
        if (open.size === 2) bothAsked.resolve();
      });
    memory.prompt("go");
    await bothAsked.promise;
    open.get("Two?")?.("1");
    await memory.untilFact(
      (fact) => fact.sessionUpdate === "tool_call_update" && fact.toolCallId === "q2" && !!fact.outcome,
    );
    expect(memory.session.state.agents.get("main")?.state).toBe("requires_action");
    open.get("One?")?.("1");
    await memory.session.idle();
    expect(outcomes(memory).map(({ text }) => text)).toEqual(["The person chose: b", "The person chose: a"]);
    expect(memory.facts("state_update").map(({ state }) => state)).toEqual([
      "running",
      "requires_action",
      "running",
      "idle",
    ]);
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("questions of one call are asked one after another, and answered in one result", async () => {
    const memory = begin([
      call("q", "AskUserQuestion", {
        questions: [
          {
            question: "Which database?",
            header: "Database",
            options: [{ label: "Postgres", description: "A server" }],
          },
          { question: "Which parts?", options: [{ label: "a" }, { label: "b" }], multiSelect: true },
          { question: "Why?" },
        ],
      }),
    ]);
    memory.ports.asker.onQuestion = ({ part }) => (part ? [undefined, "1", "1, 2", undefined][part.at] : "send");
    await memory.say("go");
    expect(memory.ports.asker.questions).toMatchObject([
      {
        message: "Which database?",
        header: "Database",
        options: [{ optionId: "1", name: "Postgres", description: "A server" }],
        part: { at: 1, of: 3 },
      },
      { message: "Which parts?", multiple: true, part: { at: 2, of: 3 } },
      { message: "Why?", options: [], part: { at: 3, of: 3 }, back: true },
      {
        header: "Your answers",
        about: "- Which database?\n  **Postgres**\n- Which parts?\n  **a; b**\n- Why?\n  **(skipped)**",
        freeText: false,
        back: true,
      },
    ]);
    expect(memory.ports.asker.questions[0]).not.toHaveProperty("back");
    expect(outcomes(memory)[0]?.text).toBe(
      [
        "The person's answers:",
        "- Which database?",
        "  → Postgres",
        "- Which parts?",
        "  → a; b",
        "- Why?",
        "  → no answer: The person declined to answer.",
        "Where there is no answer: decide yourself, and say in your answer which assumption you made.",
      ].join("\n"),
    );
    expect(outcomes(memory)[0]?.blocks).toEqual([
      {
        type: "text",
        text: "Which database?\n→ Postgres\nWhich parts?\n→ a; b\nWhy?\n→ You skipped this question.",
      },
    ]);
  });

  it("a question that was left without an answer has its draft when the person returns to it", async () => {
    const memory = begin([
      call("q", "question", { question: "One?", more: [{ question: "Two?", answers: ["a", "b"], several: true }] }),
    ]);
    const answers = ["1", "<a; b", "1", "<", "1", "a", "send"];
    memory.ports.asker.onQuestion = () => answers.shift();
    await memory.say("go");
    const given = memory.ports.asker.questions.filter(({ message }) => message === "Two?").map((each) => each.given);
    expect(given).toEqual([undefined, { text: "a; b" }, { text: "a; b" }]);
    expect(outcomes(memory)[0]?.text).toContain("- Two?\n  → a");
  });

  it("questions of one call can be gone back to, with the answer given before, until all are sent", async () => {
    const memory = begin([
      call("q", "question", { question: "One?", answers: ["a", "b"], more: [{ question: "Two?" }] }),
    ]);
    const answers = ["1", "<", "2", "words", "<", "<", "1", "other words", "send"];
    memory.ports.asker.onQuestion = () => answers.shift();
    await memory.say("go");
    expect(memory.ports.asker.questions.map(({ message, given }) => [message, given])).toEqual([
      ["One?", undefined],
      ["Two?", undefined],
      ["One?", { optionId: "1" }],
      ["Two?", undefined],
      ["Send these answers?", undefined],
      ["Two?", { text: "words" }],
      ["One?", { optionId: "2" }],
      ["Two?", { text: "words" }],
      ["Send these answers?", undefined],
    ]);
    expect(outcomes(memory)[0]?.text).toContain("- One?\n  → a\n- Two?\n  → other words");
  });

  it("questions of one call are sent only by the last page: Esc there answers none", async () => {
    const memory = begin([call("q", "question", { question: "One?", more: [{ question: "Two?" }] })]);
    const answers = ["x", "y", undefined];
    memory.ports.asker.onQuestion = () => answers.shift();
    await memory.say("go");
    expect(outcomes(memory)[0]?.text).toContain("None of the 2 questions has an answer.");
  });

  it("questions of one call that are all skipped say so, and nobody is asked again where nobody answers", async () => {
    const three = () => [
      call("q", "question", { question: "One?", more: [{ question: "Two?" }, { question: "Three?" }] }),
    ];
    const skipped = begin(three());
    await skipped.say("go");
    expect(skipped.ports.asker.questions).toHaveLength(3);
    expect(outcomes(skipped)[0]?.text).toBe(
      "The person declined to answer. None of the 3 questions has an answer. Decide yourself, and say in your answer which assumption you made.",
    );
    const late = begin(three(), 60_000);
    late.ports.asker.onQuestion = () => new Promise(() => undefined);
    late.prompt("go");
    await late.untilFact(isAsking);
    late.ports.clock.advance(60_000);
    await late.session.idle();
    expect(late.ports.asker.questions).toHaveLength(1);
    expect(outcomes(late)[0]?.text).toContain("Nobody answered within 60 s. None of the 3 questions has an answer.");
  });

  it("a question of the agent without text is invalid", async () => {
    const memory = begin([asking([], "q", "  ")]);
    await memory.say("go");
    expect(outcomes(memory)[0]?.status).toBe("invalid");
  });
});
