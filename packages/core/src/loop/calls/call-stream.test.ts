import type { ToolCallPart } from "@harness/protocol";
import {
  call,
  calling,
  commandTool,
  MemoryLog,
  MemorySession,
  memoryTools,
  probeTool,
  type ScriptedEvent,
  saying,
} from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { Tool } from "../../ports/tool.ts";

const ok = (text: string) => ({ status: "ok" as const, text, blocks: [] });
const early = (part: ToolCallPart): ScriptedEvent => ({ type: "call", part });
const read = (id: string, file = "x") => call(id, "read", { file_path: file });
const failure = { kind: "network" as const, message: "gone" };

/** The calls in the last messages to the model, each with its result. */
function sent(memory: MemorySession): string[] {
  const messages = memory.provider.requests.at(-1)?.messages ?? [];
  return messages.flatMap((each) => {
    if (each.role === "tool") return [`${each.toolCallId} → ${each.text}`];
    if (each.role !== "assistant") return [];
    return each.parts.map((part) => (part.type === "tool_call" ? `call ${part.toolCallId}` : part.text));
  });
}

function order(memory: MemorySession): string[] {
  return memory.log.facts.flatMap(({ update }) => {
    if (update.sessionUpdate === "early_call") return [`early ${update.call.toolCallId}`];
    if (update.sessionUpdate === "tool_call_update") return [`${update.toolCallId} ${update.status}`];
    return update.sessionUpdate === "agent_message" ? [`reply ${update.stop}`] : [];
  });
}

function expectSame(memory: MemorySession): void {
  expect(memory.states.live).toEqual(memory.states.folded);
  expect(memory.states.client).toEqual(memory.states.folded);
}

/** Ends when a call of this reply has its result. */
function untilEnded(memory: () => MemorySession, id: string): ScriptedEvent {
  const promise = Promise.resolve().then(() =>
    memory().untilFact((fact) => fact.sessionUpdate === "tool_call_update" && fact.toolCallId === id && !!fact.outcome),
  );
  return { type: "until", promise };
}

/** Ends when a call of this reply has started before its end. */
function untilEarly(memory: () => MemorySession): ScriptedEvent {
  const promise = Promise.resolve().then(() => memory().untilFact((fact) => fact.sessionUpdate === "early_call"));
  return { type: "until", promise };
}

/** One reply of these events, then an end. */
async function answered(
  events: (memory: () => MemorySession) => ScriptedEvent[],
  setup: Partial<ConstructorParameters<typeof MemorySession>[0]> = {},
) {
  let memory: MemorySession | undefined;
  const made = () => memory as MemorySession;
  memory = new MemorySession({ script: (_request, n) => (n === 0 ? events(made) : saying("done")), ...setup });
  await memory.say("go");
  expectSame(memory);
  return memory;
}

describe("a call that is whole while its reply still streams", () => {
  it("a call that is whole runs before the reply ends, and is on disk before it runs", async () => {
    const memory = await answered((made) => [
      { type: "text", text: "Look." },
      early(read("a")),
      untilEnded(made, "a"),
      { type: "end", parts: [{ type: "text", text: "Look." }, read("a"), read("b")], stop: "tool_calls" },
    ]);
    expect(order(memory)).toEqual([
      "early a",
      "a pending",
      "a in_progress",
      "a failed",
      "reply tool_calls",
      "b pending",
      "b in_progress",
      "b failed",
      "reply end",
    ]);
    expect(sent(memory)).toEqual(["Look.", "call a", "call b", "a → x does not exist", "b → x does not exist"]);
    const items = memory.session.state.agents.get("main")?.items.map(({ kind, id }) => `${kind} ${id}`);
    expect(items).toEqual(["user message-1", "agent message-2", "tool a", "tool b", "agent message-3", "turn e13"]);
    const started = memory.facts("tool_call_update").filter(({ status }) => status === "in_progress");
    expect(started.map(({ looks }) => looks)).toEqual([true, true]);
  });

  it("a call that is whole waits for the end where a person must be asked, and what does not depend on it does not", async () => {
    const files = new Map<string, string>();
    const write = call("w", "write", { file_path: "x", content: "1" });
    const parts = [write, read("x"), read("y", "y"), read("z", "z")];
    let memory: MemorySession | undefined;
    memory = new MemorySession({
      script: (_request, n) =>
        n > 0
          ? saying("done")
          : [
              ...parts.slice(0, 3).map(early),
              untilEnded(() => memory as MemorySession, "y"),
              { type: "end", parts, stop: "tool_calls" },
            ],
      tools: memoryTools(files),
      options: { permission_mode: "default" },
    });
    memory.ports.asker.onPermission = () => ({ outcome: "selected", optionId: "allow_once" });
    await memory.say("go");
    expectSame(memory);
    expect(order(memory).slice(0, 5)).toEqual([
      "early y",
      "y pending",
      "y in_progress",
      "y failed",
      "reply tool_calls",
    ]);
    expect(sent(memory).slice(-4)).toEqual([
      "w → wrote 1 characters",
      "x → 1",
      "y → y does not exist",
      "z → z does not exist",
    ]);
  });

  it.each([
    ["each on its own as it comes", true],
    ["all at the end of the reply", false],
  ])("people are asked in the order of the calls, whatever each looks up before: %s", async (_name, isEarly) => {
    const looked = Promise.withResolvers<void>();
    const asking = (name: string, look: () => Promise<void> | undefined): Tool => ({
      ...probeTool(name, () => ok(name)),
      category: "destructive",
      effects: () => [{ kind: "run", command: `make ${name}`, cwd: "/work" }],
      concurrency: () => "beside-its-kind",
      async bind(args) {
        await look();
        return { args };
      },
    });
    const parts = [call("1", "slow", {}), call("2", "quick", {})];
    const tools = [
      // It finishes its look-up only after the quick one.
      asking("slow", async () => {
        await looked.promise;
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      }),
      asking("quick", async () => looked.resolve()),
    ];
    const memory = new MemorySession({
      script: (_request, n) =>
        n > 0 ? saying("done") : [...(isEarly ? parts.map(early) : []), { type: "end", parts, stop: "tool_calls" }],
      tools,
      options: { permission_mode: "default" },
    });
    const asked: string[] = [];
    memory.ports.asker.onPermission = ({ toolCallId }) => {
      asked.push(toolCallId);
      return { outcome: "selected", optionId: "allow_once" };
    };
    await memory.say("go");
    expectSame(memory);
    expect(asked).toEqual(["1", "2"]);
  });

  it("a call that has started early holds nobody up behind it", async () => {
    const begun = Promise.withResolvers<void>();
    // It ends only once the next call, which arrives with the end of the reply, runs beside it.
    const long = probeTool("long", async () => {
      await begun.promise;
      return ok("long");
    });
    const next = probeTool("next", () => {
      begun.resolve();
      return ok("next");
    });
    const parts = [call("1", "long", {}), call("2", "next", {})];
    const memory = new MemorySession({
      script: (_request, n) =>
        n > 0
          ? saying("done")
          : [early(call("1", "long", {})), untilEarly(() => memory), { type: "end", parts, stop: "tool_calls" }],
      tools: [long, next],
    });
    await memory.say("go");
    expect(order(memory)[0]).toBe("early 1");
    expect(sent(memory)).toContain("2 → next");
  }, 10_000);

  it("a call that is whole waits for a command before it that may change what it uses", async () => {
    const files = new Map([["/work/x", "OLD"]]);
    const bash = commandTool(() => {
      files.set("/work/x", "NEW");
      return ok("made");
    });
    const make = call("m", "bash", { command: "make" });
    const memory = await answered(
      (made) => [early(make), early(read("r")), untilEnded(made, "r"), ...calling(make, read("r"), read("l", "l"))],
      { tools: [bash, ...memoryTools(files).filter(({ name }) => name !== "bash")] },
    );
    expect(sent(memory).slice(3)).toEqual(["m → made", "r → NEW", "l → l does not exist"]);
    expect(order(memory).indexOf("m completed")).toBeLessThan(order(memory).indexOf("early r"));
  });

  it("a complete call does not start if an extension's step sees the reply first", async () => {
    const memory = await answered(() => [early(read("a")), ...calling(read("a"), read("b"))], {
      steps: [{ stage: "tool_exec", name: "05-look", run: (state) => state }],
    });
    expect(order(memory)[0]).toBe("reply tool_calls");
    expect(sent(memory)).toHaveLength(4);
  });

  it("a call that is whole and beyond the limit of a reply keeps its id", async () => {
    const parts = ["a", "b", "c"].map((id) => read(id));
    const memory = await answered(() => [...parts.map(early), ...calling(...parts)], {
      options: { limits: { maxTurns: 5, maxToolCalls: 1 } },
    });
    expect(memory.facts("repair")).toEqual([]);
    expect(sent(memory).slice(0, 3)).toEqual(["call a", "call b", "call c"]);
  });

  it("a call that is whole does not start where it is a question", async () => {
    const question = call("q", "question", { question: "Which?" });
    const memory = await answered(() => [early(question), ...calling(question, read("b"))]);
    expect(order(memory)[0]).toBe("reply tool_calls");
  });
});

describe("a reply that breaks after a call of it has started", () => {
  const begun = (made: () => MemorySession): ScriptedEvent[] => [
    { type: "text", text: "Look." },
    early(read("a")),
    untilEnded(made, "a"),
  ];

  it("a reply that breaks after a call of it has started is not asked for again: the model sees what was done", async () => {
    let runs = 0;
    const probe = probeTool("probe", () => ok(`run ${++runs}`));
    const part = call("a", "probe", {});
    const memory = await answered(
      (made) => [
        { type: "text", text: "Look." },
        early(part),
        untilEnded(made, "a"),
        { type: "retry", attempt: 2, maxAttempts: 5, delayMs: 0, failure },
        ...calling(part),
      ],
      { tools: [probe] },
    );
    expect(runs).toBe(1);
    expect(sent(memory)).toEqual(["Look.", "call a", "a → run 1"]);
    expect(order(memory)).toEqual(["early a", "a pending", "a in_progress", "a completed", "reply cut", "reply end"]);
  });

  it("a reply that breaks before a call of it has started is asked for again", async () => {
    const write = call("a", "write", { file_path: "x", content: "1" });
    const memory = new MemorySession({
      script: (_request, n) =>
        n > 0
          ? saying("done")
          : [early(write), { type: "retry", attempt: 2, maxAttempts: 5, delayMs: 0, failure }, ...calling(read("b"))],
      options: { permission_mode: "default" },
    });
    await memory.say("go");
    expect(sent(memory)).toEqual(["call b", "b → x does not exist"]);
  });

  it("a reply that breaks for good after a call of it has started ends the turn, and the call keeps its result", async () => {
    const memory = await answered((made) => [...begun(made), { type: "failed", failure }]);
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "error", error: failure });
    await memory.say("again");
    expect(sent(memory)).toEqual(["Look.", "call a", "a → x does not exist"]);
  });

  it("a reply that a person stops after a call of it has started keeps the call", async () => {
    let memory: MemorySession | undefined;
    const forever: ScriptedEvent = { type: "until", promise: new Promise(() => undefined) };
    memory = new MemorySession({
      script: (_request, n) => (n > 0 ? saying("done") : [...begun(() => memory as MemorySession), forever]),
    });
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "tool_call_update" && fact.status === "failed");
    memory.session.cancel();
    await memory.session.idle();
    expectSame(memory);
    await memory.say("again");
    expect(sent(memory)).toEqual(["Look.", "call a", "a → x does not exist"]);
  });

  it.each([
    ["at the limit of output", "length" as const],
    ["by a filter of the vendor", "refusal" as const],
  ])("a reply that ends %s runs no call that the cut could have changed", async (_name, stop) => {
    const files = new Map<string, string>();
    const write = (id: string) => call(id, "write", { file_path: id, content: "1" });
    const memory = await answered(
      (made) => [early(write("a")), untilEnded(made, "a"), { type: "end", parts: [write("a"), write("b")], stop }],
      { tools: memoryTools(files) },
    );
    expect([...files.keys()]).toEqual(["/work/a"]);
    expect(sent(memory).at(-1)).toMatch(/^b → Your call was cut/);
  });
});

describe("the process dies after a call has started early", () => {
  it.each([1, 2, 3, 4])(
    "after %d facts of it, the call has a result and the conversation can be sent",
    async (count) => {
      const memory = await answered((made) => [
        early(read("a")),
        untilEnded(made, "a"),
        ...calling(read("a"), read("b")),
      ]);
      const first = memory.log.facts.findIndex(({ update }) => update.sessionUpdate === "early_call");
      const log = new MemoryLog("s1", "/work", memory.log.lines.slice(0, first + count));
      const again = new MemorySession({ script: [saying("done")], log });
      await again.say("go on");
      expect(again.states.live).toEqual(again.states.folded);
      const [called, result] = sent(again);
      expect(called).toBe("call a");
      expect(result).toMatch(
        count < 3 ? /interrupted before it started/ : count === 3 ? /unknown whether it ran/ : /not exist/,
      );
      expect(sent(again)).toHaveLength(2);
    },
  );
});
