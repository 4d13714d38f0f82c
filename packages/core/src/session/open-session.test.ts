import { call, calling, MemorySession, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

const kindsOf = (memory: MemorySession) => memory.log.facts.map(({ update }) => update.sessionUpdate);

describe("a session", () => {
  it("a session answers a message, and the log, the live state and a client agree", async () => {
    const memory = new MemorySession({ script: [saying("Hello!")] });
    expect(memory.prompt("hi")).toEqual({ disposition: "started", turnId: "turn-1" });
    await memory.session.idle();
    expect(kindsOf(memory)).toEqual([
      "state_update",
      "user_message",
      "session_info_update",
      "agent_message",
      "state_update",
    ]);
    const { live, folded, client } = memory.states;
    expect(live).toEqual(folded);
    expect(client).toEqual(folded);
    expect(live.title).toBe("hi");
    expect(live.agents.get("main")).toMatchObject({ state: "idle", stopReason: "end_turn" });
  });

  it("a session runs the calls of a reply and sends their results in call order", async () => {
    const memory = new MemorySession({
      script: [
        calling(call("a", "write", { file_path: "x", content: "1" }), call("b", "read", { file_path: "y" })),
        saying("done"),
      ],
    });
    await memory.say("go");
    const second = memory.provider.requests[1];
    expect(second?.messages.slice(1)).toMatchObject([
      { role: "assistant" },
      { role: "tool", toolCallId: "a", text: "wrote 1 characters", isError: false },
      { role: "tool", toolCallId: "b", text: "y does not exist", isError: true },
    ]);
    expect(memory.states.live).toEqual(memory.states.folded);
    expect(memory.ports.reports).toEqual([]);
  });

  it("a session tells when it is known where its folder leads", async () => {
    const looking = Promise.withResolvers<string>();
    const memory = new MemorySession({ script: [], ports: { paths: { real: () => looking.promise } } });
    const later = new Promise((done) => setImmediate(done, "later"));
    expect(await Promise.race([memory.session.rootsNoted, later])).toBe("later");
    looking.resolve("/work");
    await memory.session.rootsNoted;
  });

  it("a session goes on when a listener throws, and reports it", async () => {
    const emit = () => {
      throw new Error("listener");
    };
    const memory = new MemorySession({ script: [saying("hi")], ports: { emit } });
    await memory.say("go");
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "end_turn" });
    expect(memory.ports.reports[0]).toMatchObject({ where: "emit" });
  });
});
