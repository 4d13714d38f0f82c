import { call, calling, failing, MemoryLog, MemorySession, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { byTask, expectWhole, gate, heard, send, start } from "../../test/agent-script.ts";
import type { ModelRequest } from "../ports/provider.ts";

const inboxOf = (memory: MemorySession, agentId: string) =>
  memory.log.facts.flatMap(({ agentId: owner, update }) =>
    owner === agentId && update.sessionUpdate === "inbox_update" ? [`${update.messageId} ${update.state}`] : [],
  );
const outcomeOf = (memory: MemorySession, toolCallId: string) =>
  memory.facts("tool_call_update").find((each) => each.toolCallId === toolCallId && each.outcome)?.outcome;
const everything = ({ messages }: ModelRequest) => JSON.stringify(messages);
const resultIn = (request: ModelRequest) => JSON.stringify(request.messages.at(-1));

describe("messages between agents", () => {
  it("two siblings that wait for each other's answers exchange messages, and each is queued, delivered and read", async () => {
    const memory = new MemorySession({
      script: byTask({
        go: [calling(start("a", "one"), start("b", "two")), saying("I wait."), saying("merged")],
        one: [
          calling(send("s1", "agent-2", "What is the name?", true)),
          calling(send("s3", "agent-2", "I am one.", true)),
          (request) => calling(send("s5", "agent-2", `Thanks: ${everything(request).includes("It is Ada.")}`)),
          saying("one is done"),
        ],
        two: [
          calling(send("s2", "agent-1", "Who asks?", true)),
          calling(send("s4", "agent-1", "It is Ada.", true)),
          calling(call("w", "read", { file_path: "x" })),
          (request) => saying(`two heard ${everything(request).includes("Thanks: true")}`),
        ],
      }),
    });
    await memory.say("go");
    expect(heard(memory, "agent-1").slice(1)).toEqual([
      "MESSAGE from agent-2: Who asks?",
      "MESSAGE from agent-2: It is Ada.",
    ]);
    expect(heard(memory, "agent-2").slice(1)).toEqual([
      "MESSAGE from agent-1: What is the name?",
      "MESSAGE from agent-1: I am one.",
      "MESSAGE from agent-1: Thanks: true",
    ]);
    expect(heard(memory, "main").slice(1).sort()).toEqual([
      "SUBAGENT agent-1 COMPLETED: one is done",
      "SUBAGENT agent-2 COMPLETED: two heard true",
    ]);
    const states = inboxOf(memory, "agent-2").map((each) => each.split(" ")[1]);
    expect(states.filter((each) => each === "queued")).toHaveLength(3);
    expect(states.filter((each) => each === "read")).toHaveLength(3);
    expectWhole(memory);
  });

  it("a child asks its parent, which waits for it, and goes on with the answer", async () => {
    const memory = new MemorySession({
      script: byTask({
        go: [calling(start("a", "one")), saying("I wait."), calling(send("s", "agent-1", "Port 80.")), saying("done")],
        one: [calling(send("q", "parent", "Which port?", true)), (request) => saying(`used ${resultIn(request)}`)],
      }),
    });
    await memory.say("go");
    expect(heard(memory, "main")[1]).toBe("MESSAGE from agent-1: Which port?");
    expect(heard(memory, "main")[2]).toContain("Port 80.");
    expect(outcomeOf(memory, "q")?.text).toBe("Queued for main. Your messages follow.");
    expectWhole(memory);
  });

  it("a child whose parent reads its question and does not answer learns that no answer comes", async () => {
    const memory = new MemorySession({
      script: byTask({
        go: [calling(start("a", "one")), saying("I wait."), saying("Interesting."), saying("done")],
        one: [calling(send("q", "parent", "Which port?", true)), saying("I took 80.")],
      }),
    });
    await memory.say("go");
    expect(outcomeOf(memory, "q")?.text).toContain("No answer is coming");
    expect(heard(memory, "main").at(-1)).toBe("SUBAGENT agent-1 COMPLETED: I took 80.");
    expectWhole(memory);
  });

  it("a child that asks the agent whose call waits for it learns that no answer comes", async () => {
    const memory = new MemorySession({
      script: byTask({
        go: [calling(call("a", "agent", { task: "one" })), saying("done")],
        one: [calling(send("q", "parent", "Which port?", true)), saying("I took 80.")],
      }),
    });
    await memory.say("go");
    expect(outcomeOf(memory, "q")?.text).toContain("No answer is coming");
    expect(outcomeOf(memory, "a")?.text).toBe("SUBAGENT agent-1 COMPLETED: I took 80.");
    expect(heard(memory, "main")).toEqual(["go", "MESSAGE from agent-1: Which port?"]);
    expectWhole(memory);
  });

  it("a message to an agent that has ended is refused with its result", async () => {
    const memory = new MemorySession({
      script: byTask({
        go: [calling(start("a", "one")), saying("I wait."), calling(send("s", "agent-1", "More?")), saying("done")],
        one: [saying("the answer is 42")],
      }),
    });
    await memory.say("go");
    expect(outcomeOf(memory, "s")).toMatchObject({
      status: "error",
      text: "agent-1 has ended (completed) and reads no more messages. Its result was: the answer is 42",
    });
    expect(inboxOf(memory, "agent-1")).toEqual([]);
    expectWhole(memory);
  });

  it("a message that its receiver did not live to read is dropped, and the sender is notified", async () => {
    const held = gate();
    const memory = new MemorySession({
      script: byTask({
        go: [calling(start("a", "one"), start("b", "two")), saying("I wait."), saying("ok")],
        one: [[held.until, ...failing("network", "no route")]],
        two: [
          calling(send("s", "agent-1", "Look at x.ts")),
          () => {
            held.open();
            return calling(call("r", "read", { file_path: "x" }));
          },
          calling(send("t", "parent", "still here", true)),
          saying("done"),
        ],
      }),
    });
    await memory.say("go");
    const [queued, dropped] = inboxOf(memory, "agent-1");
    expect(dropped).toBe(queued?.replace("queued", "dropped"));
    const told = [...heard(memory, "agent-2")].filter((each) => each.includes("was not read"));
    expect(told).toEqual(["Your message to agent-1 was not read: it had already ended. It said: Look at x.ts"]);
    expectWhole(memory);
  });

  it("a message to nobody, to oneself, or too long is refused", async () => {
    const memory = new MemorySession({
      contextWindow: 8_192,
      script: byTask({
        go: [
          calling(send("a", "agent-9", "x"), send("b", "main", "x"), send("c", "parent", "x"), start("d", "one")),
          calling(send("e", "agent-1", "x".repeat(9_000))),
          saying("done"),
        ],
        one: [saying("ok")],
      }),
    });
    await memory.say("go");
    expect(outcomeOf(memory, "a")?.text).toBe("There is no other agent `agent-9`. No other agent is running.");
    expect(outcomeOf(memory, "b")?.text).toContain("no other agent `main`");
    expect(outcomeOf(memory, "c")?.text).toContain("no other agent `parent`");
    expect(outcomeOf(memory, "e")?.text).toMatch(/tokens long|has ended/);
    expectWhole(memory);
  });

  it("agents are listed for the model, and one stops only those below it", async () => {
    const held = gate();
    const memory = new MemorySession({
      script: byTask({
        go: [
          calling(start("a", "one"), start("b", "two")),
          calling(call("l", "list_agents", {}), call("s", "stop_agent", { agent: "agent-1" })),
          saying("done"),
        ],
        one: [[held.until]],
        two: [
          calling(call("n", "stop_agent", { agent: "parent" }), call("m", "stop_agent", { agent: "agent-1" })),
          saying("ok"),
        ],
      }),
    });
    await memory.say("go");
    expect(outcomeOf(memory, "l")?.text).toMatch(
      /^main \(you\): running\n {2}agent-1: running; task: one\n {2}agent-2: /,
    );
    expect(outcomeOf(memory, "n")?.text).toContain("main is not yours to stop");
    expect(outcomeOf(memory, "m")?.text).toMatch(/not yours to stop|has ended/);
    expect(heard(memory, "main")).toContain("SUBAGENT agent-1 FAILED: it was cancelled.");
    expectWhole(memory);
  });
});

describe("a person who writes to a subagent", () => {
  const content = (text: string) => [{ type: "text" as const, text }];

  it("a person who writes to a subagent steers it, once for each prompt id", async () => {
    const held = gate();
    const memory = new MemorySession({
      script: byTask({
        go: [calling(start("a", "one")), saying("I wait."), saying("done")],
        one: [
          [held.until, ...calling(call("r", "read", { file_path: "x" }))],
          (request) => saying(`heard ${resultIn(request)}`),
        ],
      }),
    });
    memory.prompt("go");
    await memory.untilFact(
      (fact, agentId) => agentId === "main" && fact.sessionUpdate === "state_update" && fact.state === "waiting",
    );
    const first = memory.session.promptAgent("agent-1", { promptId: "x1", content: content("Use tabs.") });
    expect(first).toMatchObject({ disposition: "steered", turnId: "turn-2" });
    expect(memory.session.promptAgent("agent-1", { promptId: "x1", content: content("Use tabs.") })).toMatchObject({
      duplicate: true,
    });
    expect(memory.session.promptAgent("agent-1", { promptId: "x1", content: content("Other.") })).toMatchObject({
      conflict: expect.any(String),
    });
    expect(memory.session.agents()[1]).toMatchObject({ unread: 1 });
    held.open();
    await memory.session.idle();
    expect(heard(memory, "agent-1").slice(1)).toEqual(["Use tabs."]);
    expect(heard(memory, "main").at(-1)).toContain("Use tabs.");
    expect(memory.session.promptAgent("agent-1", { promptId: "x2", content: content("More.") })).toMatchObject({
      conflict: expect.stringContaining("agent-1 has ended (completed)"),
    });
    expect(memory.session.promptAgent("nobody", { promptId: "x3", content: content("More.") })).toMatchObject({
      conflict: expect.stringContaining("There is no other agent"),
    });
    expectWhole(memory);
  });

  it("a person whose message was not read is notified, even after a crash, and nobody gets it twice", async () => {
    const held = gate();
    const script = byTask({
      go: [calling(start("a", "one")), saying("I wait."), saying("done")],
      one: [[held.until]],
      on: [saying("fine")],
    });
    const memory = new MemorySession({ script });
    memory.prompt("go");
    await memory.untilFact(
      (fact, agentId) => agentId === "main" && fact.sessionUpdate === "state_update" && fact.state === "waiting",
    );
    memory.session.promptAgent("agent-1", { promptId: "x1", content: content("Use tabs.") });
    const crashed = new MemorySession({ script, log: new MemoryLog("s1", "/work", memory.log.lines) });
    expect(inboxOf(crashed, "agent-1").at(-1)).toMatch(/dropped$/);
    expect(crashed.session.promptAgent("agent-1", { promptId: "x1", content: content("Use tabs.") })).toMatchObject({
      duplicate: true,
    });
    memory.session.cancel("agent-1");
    await memory.session.idle();
    const title = "Your message to agent-1 was not read: it had already ended.";
    expect(memory.facts("notice")).toMatchObject([{ title }, { title }]);
    for (const { log } of [memory, crashed]) {
      const told = log.facts.filter(({ update }) => update.sessionUpdate === "notice");
      // In the transcript that it was written in, and in the main one.
      expect(told.map(({ agentId }) => agentId)).toEqual(["agent-1", "main"]);
    }
    expectWhole(memory);
  });
});
