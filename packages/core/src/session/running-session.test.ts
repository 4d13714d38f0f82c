import {
  call,
  calling,
  MemoryLog,
  MemorySession,
  probeTool,
  type Script,
  type ScriptedEvent,
  saying,
} from "@harness/testkit";
import { describe, expect, it } from "vitest";

function gate(): { until: ScriptedEvent; open: () => void } {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { until: { type: "until", promise }, open };
}
const text = (words: string) => [{ type: "text" as const, text: words }];
const quoted = (words: string) => ({ type: "text" as const, text: words, quoted: true });
const said = (memory: MemorySession) =>
  memory
    .facts("user_message")
    .map((each) => each.content.map((part) => (part.type === "text" ? part.text : "")).join(""));
const turnsOf = (memory: MemorySession) =>
  memory.log.facts.flatMap(({ turnId, update }) => (update.sessionUpdate === "user_message" ? [turnId] : []));

describe("a prompt", () => {
  it("a prompt is on disk and announced when it is acknowledged", async () => {
    const memory = new MemorySession({ script: [saying("hi")] });
    const answer = memory.prompt("go");
    expect(answer).toEqual({ disposition: "started", turnId: "turn-1" });
    expect(memory.log.facts.map(({ update }) => update.sessionUpdate)).toEqual(["state_update", "user_message"]);
    expect(memory.session.state.agents.get("main")?.state).toBe("running");
    expect(memory.ports.events.all).toMatchObject([{ stored: { seq: 1 } }, { stored: { seq: 2 } }]);
    await memory.session.idle();
  });

  it("a prompt with a used id changes nothing, or is refused for another text", async () => {
    const memory = new MemorySession({ script: [saying("hi")] });
    memory.session.prompt("id", text("go"), "start");
    expect(memory.session.prompt("id", text("go"), "start")).toEqual({
      disposition: "started",
      turnId: "turn-1",
      duplicate: true,
    });
    expect(memory.session.prompt("id", text("other"), "queue")).toEqual({
      conflict: expect.stringContaining("used before"),
    });
    await memory.session.idle();
    expect(memory.session.prompt("id", text("go"), "queue")).toMatchObject({ duplicate: true });
    expect(memory.provider.requests).toHaveLength(1);
  });

  it("a prompt is made of valid text", async () => {
    const memory = new MemorySession({ script: [saying("hi")] });
    await memory.say("a\ud800b");
    expect(said(memory)).toEqual(["a\ufffdb"]);
  });

  it("a prompt with `start` while a turn runs is refused and names the turn", async () => {
    const held = gate();
    const memory = new MemorySession({ script: [[held.until, ...saying("hi")]] });
    memory.prompt("go");
    expect(memory.prompt("more", "start")).toEqual({ conflict: expect.any(String), currentTurnId: "turn-1" });
    held.open();
    await memory.session.idle();
  });
});

describe("a queued prompt", () => {
  async function queued() {
    const held = gate();
    const memory = new MemorySession({ script: [[held.until, ...saying("1")], saying("2"), saying("3")] });
    memory.prompt("a");
    await memory.untilRequests(1);
    expect(memory.prompt("b", "queue")).toEqual({ disposition: "queued" });
    expect(memory.prompt("c", "queue")).toEqual({ disposition: "queued" });
    expect(memory.session.state.queue.map((each) => each.promptId)).toEqual(["p2", "p3"]);
    expect(memory.facts("queue_update")).toHaveLength(2);
    return { memory, held };
  }

  it("a queued prompt runs in its own turn when the running one has ended", async () => {
    const { memory, held } = await queued();
    held.open();
    await memory.session.idle();
    expect(said(memory)).toEqual(["a", "b", "c"]);
    expect(turnsOf(memory)).toEqual(["turn-1", "turn-2", "turn-3"]);
    expect(memory.session.state.queue).toEqual([]);
    expect(memory.states.live).toEqual(memory.states.folded);
    expect(memory.session.prompt("p2", text("b"), "queue")).toEqual({
      disposition: "queued",
      turnId: "turn-2",
      duplicate: true,
    });
  });

  it("a queued prompt also runs after a turn that failed", async () => {
    const held = gate();
    const failed: ScriptedEvent = { type: "failed", failure: { kind: "network", message: "x" } };
    const memory = new MemorySession({ script: [[held.until, failed], saying("2")] });
    memory.prompt("a");
    memory.prompt("b", "queue");
    held.open();
    await memory.session.idle();
    expect(said(memory)).toEqual(["a", "b"]);
  });

  it("a queued prompt can be withdrawn, and its id used again", async () => {
    const { memory, held } = await queued();
    expect(memory.session.unqueue("p2")).toBe(true);
    expect(memory.session.unqueue("p2")).toBe(false);
    expect(memory.session.unqueue("p1")).toBe(false);
    expect(memory.session.prompt("p2", text("b again"), "queue")).toEqual({ disposition: "queued" });
    held.open();
    await memory.session.idle();
    expect(said(memory)).toEqual(["a", "c", "b again"]);
  });

  it("a queued prompt waits for the next prompt when the turn before it was cancelled", async () => {
    const { memory } = await queued();
    memory.session.cancel();
    await memory.session.idle();
    expect(said(memory)).toEqual(["a"]);
    expect(memory.session.state.queue).toHaveLength(2);
    expect(memory.prompt("d", "queue")).toEqual({ disposition: "queued" });
    await memory.session.idle();
    expect(said(memory)).toEqual(["a", "b", "c", "d"]);
  });

  it("a queued prompt that is sent again by itself starts before those that wait", async () => {
    const { memory } = await queued();
    memory.session.cancel();
    await memory.session.idle();
    expect(memory.session.unqueue("p2")).toBe(true);
    expect(memory.prompt("b", "start")).toMatchObject({ disposition: "started" });
    await memory.session.idle();
    expect(said(memory)).toEqual(["a", "b", "c"]);
  });

  it("a prompt that came after the cancel lets those before it go on, in their order", async () => {
    const { memory } = await queued();
    memory.session.cancel();
    expect(memory.prompt("d", "queue")).toEqual({ disposition: "queued" });
    await memory.session.idle();
    expect(said(memory)).toEqual(["a", "b", "c", "d"]);
  });
});

describe("a prompt that steers", () => {
  it("a prompt that steers joins the turn before its next request", async () => {
    const memory: MemorySession = new MemorySession({
      script: [calling(call("a", "probe", {})), saying("2")],
      tools: [
        probeTool("probe", () => {
          expect(memory.prompt("rather this", "steer")).toEqual({ disposition: "steered", turnId: "turn-1" });
          expect(memory.session.prompt("p2", text("rather this"), "steer")).toEqual({
            disposition: "steered",
            turnId: "turn-1",
            duplicate: true,
          });
          return { status: "ok", text: "1", blocks: [] };
        }),
      ],
    });
    await memory.say("go");
    expect(memory.provider.requests[1]?.messages.map((each) => each.role)).toEqual([
      "user",
      "assistant",
      "tool",
      "user",
    ]);
    expect(turnsOf(memory)).toEqual(["turn-1", "turn-1"]);
    expect(memory.session.state.queue).toEqual([]);
    expect(memory.session.prompt("p2", text("rather this"), "steer")).toEqual({
      disposition: "steered",
      turnId: "turn-1",
      duplicate: true,
    });
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("a prompt that steers keeps a turn going that would have ended", async () => {
    const held = gate();
    const memory = new MemorySession({ script: [[held.until, ...saying("1")], saying("2")] });
    memory.prompt("go");
    await memory.untilRequests(1);
    memory.prompt("and this", "steer");
    held.open();
    await memory.session.idle();
    expect(turnsOf(memory)).toEqual(["turn-1", "turn-1"]);
    expect(memory.provider.requests[1]?.messages.map((each) => each.role)).toEqual(["user", "assistant", "user"]);
  });

  it("a prompt that steers is kept in the queue when the turn is cancelled first, and starts one where none runs", async () => {
    const memory = new MemorySession({ script: [[gate().until], saying("2"), saying("3")] });
    expect(memory.prompt("go", "steer")).toMatchObject({ disposition: "started" });
    await memory.untilRequests(1);
    memory.prompt("and this", "steer");
    memory.session.cancel();
    await memory.session.idle();
    expect(memory.session.state.queue.map((each) => each.promptId)).toEqual(["p2"]);
    await memory.say("on");
    expect(said(memory)).toEqual(["go", "on", "and this"]);
  });
});

describe("after a restart", () => {
  it("prompts are known after a restart, and waiting ones still wait", async () => {
    const memory: MemorySession = new MemorySession({
      script: [calling(call("a", "probe", {})), [gate().until]],
      tools: [
        probeTool("probe", () => {
          memory.prompt("steer", "steer");
          return { status: "ok", text: "1", blocks: [] };
        }),
      ],
    });
    memory.prompt("start");
    await memory.untilFact((fact) => fact.sessionUpdate === "queue_update" && fact.removed.length > 0);
    memory.prompt("wait", "queue");
    const again = new MemorySession({
      script: [saying("hi"), saying("ho")],
      log: new MemoryLog("s1", "/work", memory.log.lines),
    });
    await again.session.idle();
    expect(again.provider.requests).toEqual([]);
    expect(again.session.prompt("p1", text("start"), "start")).toEqual({
      disposition: "started",
      turnId: "turn-1",
      duplicate: true,
    });
    expect(again.session.prompt("p2", text("steer"), "steer")).toEqual({
      disposition: "steered",
      turnId: "turn-1",
      duplicate: true,
    });
    expect(again.session.prompt("p3", text("wait"), "queue")).toEqual({ disposition: "queued", duplicate: true });
    expect(again.session.prompt("p1", text("other"), "start")).toMatchObject({ conflict: expect.any(String) });
    again.session.prompt("p4", text("next"), "start");
    await again.session.idle();
    expect(said(again)).toEqual(["start", "steer", "next", "wait"]);
  });

  it("a prompt that became a message just before a crash does not wait after the restart", () => {
    const log = new MemoryLog();
    const at = "2026-11-21T00:00:00.000Z";
    const add = (update: Parameters<MemoryLog["append"]>[0]["update"]) =>
      log.append({ agentId: "main", turnId: "t1", at, update });
    add({ sessionUpdate: "queue_update", added: [{ promptId: "p", content: text("x") }], removed: [] });
    add({ sessionUpdate: "state_update", state: "running" });
    add({ sessionUpdate: "user_message", messageId: "m", promptId: "p", content: text("x"), origin: "user" });
    const memory = new MemorySession({ script: [], log });
    expect(memory.session.state.queue).toEqual([]);
    expect(memory.session.prompt("p", text("x"), "queue")).toMatchObject({ disposition: "queued", duplicate: true });
  });
});

describe("a session", () => {
  it("a session is named after the first line of its first message, unless a person named it", async () => {
    const memory = new MemorySession({ script: [saying("1"), saying("2")] });
    await memory.say("\n\nFix the  parser\nplease");
    await memory.say("Something else");
    expect(memory.session.state.title).toBe("Fix the parser");
    expect(memory.facts("session_info_update")).toHaveLength(1);
    memory.session.setTitle("Parser");
    expect(memory.session.state.title).toBe("Parser");
    const named = new MemorySession({ script: [saying("1")] });
    named.session.setTitle("Mine");
    await named.say("hello");
    expect(named.session.state.title).toBe("Mine");
  });

  it.each([
    [[{ type: "text", text: "hi" }, quoted("<stdin>\nx\n</stdin>")], "hi"],
    [[quoted('<file path="README.md">\n# Notes\n</file>')], "# Notes"],
    [[quoted("piped alone")], "piped alone"],
  ] as const)(
    "a session is named after what the person wrote, not after what they quoted: %j: %s",
    async (said, title) => {
      const memory = new MemorySession({ script: [saying("1")] });
      memory.session.prompt("p1", [...said], "start");
      await memory.session.idle();
      expect(memory.session.state.title).toBe(title);
    },
  );

  it("a session changes its configuration from the next request on", async () => {
    const choices: unknown[] = [];
    const memory: MemorySession = new MemorySession({
      script: [calling(call("a", "probe", {})), saying("2"), saying("3")],
      tools: [
        probeTool("probe", () => {
          expect(memory.session.setConfig({ model: "b" }, "slow")).toEqual({ provider: "p", model: "b" });
          return { status: "ok", text: "1", blocks: [] };
        }),
      ],
    });
    const { chooseModel } = memory.ports;
    memory.ports.chooseModel = (config) => {
      choices.push(config.model);
      return chooseModel(config);
    };
    memory.session.setConfig({ provider: "p", model: "a" });
    await memory.say("go");
    await memory.say("again");
    expect(choices).toEqual(["a", "b", "b"]);
    expect(memory.facts("config_option_update").at(-1)).toEqual({
      sessionUpdate: "config_option_update",
      config: { model: "b" },
      reason: "slow",
    });
    expect(memory.session.permissionMode).toBe("allow-all");
    memory.session.setConfig({ permissionMode: "deny" });
    expect(memory.session.permissionMode).toBe("deny");
  });

  it("a session brings a late client up to what is being streamed", async () => {
    const held = gate();
    const memory = new MemorySession({
      script: [
        [
          { type: "thinking", text: "hm" },
          { type: "text", text: "Hel" },
          { type: "tool_input", toolCallId: "a", name: "read", text: '{"f' },
          held.until,
          ...saying("Hello"),
        ],
      ],
    });
    memory.prompt("go");
    await memory.ports.events.until((event) => "delta" in event && event.delta.sessionUpdate === "tool_input_chunk");
    expect(memory.session.snapshot()).toMatchObject([
      { agentId: "main", delta: { sessionUpdate: "agent_thought_chunk", offset: 0, text: "hm" } },
      { agentId: "main", delta: { sessionUpdate: "agent_message_chunk", offset: 0, text: "Hel" } },
      { agentId: "main", delta: { sessionUpdate: "tool_input_chunk", offset: 0, name: "read", text: '{"f' } },
    ]);
    held.open();
    await memory.session.idle();
    expect(memory.session.snapshot()).toEqual([]);
  });

  it("a session that is closed stops its work, and takes nothing after that", async () => {
    const memory = new MemorySession({ script: [[gate().until]] });
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "session_info_update");
    await memory.session.close(1_000);
    expect(memory.log.isClosed).toBe(true);
    expect(memory.facts("state_update").at(-1)).toMatchObject({ state: "idle", stopReason: "cancelled" });
    expect(memory.prompt("more")).toEqual({ conflict: expect.stringContaining("closed") });
    expect(memory.session.unqueue("p1")).toBe(false);
    expect(await memory.session.compact()).toEqual({ problem: expect.stringContaining("closed") });
    memory.session.setTitle("x");
    expect(memory.session.setConfig({ model: "x" })).toEqual({});
    await memory.session.close(1_000);
  });

  it("a session closes in time even when something does not end", async () => {
    const forever = new Promise<never>(() => undefined);
    const script: Script = () => calling(call("a", "probe", {}));
    const memory = new MemorySession({ script, tools: [probeTool("probe", () => forever)] });
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "tool_call_update" && fact.status === "in_progress");
    const closed = memory.session.close(1_000);
    memory.ports.clock.advance(1_000);
    await closed;
    const { length } = memory.log.lines;
    const announced = memory.ports.events.all.length;
    memory.ports.clock.advance(10_000);
    await memory.session.idle();
    expect(memory.log.lines).toHaveLength(length);
    expect(memory.ports.events.all).toHaveLength(announced);
  });
});
