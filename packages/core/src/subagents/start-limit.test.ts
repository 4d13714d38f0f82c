// How many subagents a session, a server and a message may have, whoever starts them.
import { call, calling, MemorySession, type Script, saying, usualAgentLimits } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { AgentMeter } from "../ports/agent-meter.ts";
import type { AgentLimits } from "../ports/session-ports.ts";

const limited = (limits: Partial<AgentLimits>) => ({ agentLimits: { ...usualAgentLimits, ...limits } });

/** Each reply of each agent starts this many others with its own task. */
function bomb(each: number): Script {
  let id = 0;
  return () =>
    calling(
      ...Array.from({ length: each }, () => {
        id += 1;
        return call(`c${id}`, "start_subagent", { task: "split it" });
      }),
    );
}

/** The maximum number of subagents running at the same time, according to the facts. */
function mostAtOnce(memory: MemorySession): number {
  let running = 0;
  let most = 0;
  for (const { state } of memory.facts("subagent_update")) {
    running += state === "running" ? 1 : -1;
    most = Math.max(most, running);
  }
  return most;
}

const started = (memory: MemorySession) => memory.facts("subagent_update").filter(({ state }) => state === "running");
const refusals = (memory: MemorySession) =>
  new Set(
    memory
      .facts("tool_call_update")
      .flatMap(({ outcome }) => (outcome?.status === "error" ? [JSON.parse(outcome.text).error as string] : [])),
  );

describe("agents that start agents without end", () => {
  it.each([3, 12])(
    "are never more than the session may have, with %d in each reply, and come to an end",
    async (each) => {
      const memory = new MemorySession({ script: bomb(each), options: limited({ maxInSession: 6 }) });
      await memory.say("split it");
      expect(mostAtOnce(memory)).toBe(6);
      expect(refusals(memory)).toContain(
        "6 subagents are already running in this session, which is the limit (`max_session_agents`). Do the task yourself.",
      );
      expect(memory.session.state.agents.get("main")?.state).toBe("idle");
    },
  );

  it("are no more than one message may have started", async () => {
    const memory = new MemorySession({ script: bomb(12), options: limited({ maxStarts: 10 }) });
    await memory.say("split it");
    expect(started(memory)).toHaveLength(10);
    expect(refusals(memory)).toContain(
      "10 subagents have been started since the person's last message, which is the limit (`max_agent_starts`). Do the task yourself.",
    );
  });

  it("are counted over all sessions of the server, and no longer when they have ended", async () => {
    const agentMeter = new AgentMeter();
    const setup = { ports: { agentMeter }, options: limited({ maxInServer: 3, maxStarts: 20 }) };
    const sessions = [
      new MemorySession({ script: bomb(8), ...setup }),
      new MemorySession({ script: bomb(8), ...setup }),
    ];
    let most = 0;
    const watch = { began: agentMeter.began.bind(agentMeter) };
    agentMeter.began = () => {
      watch.began();
      most = Math.max(most, agentMeter.running);
    };
    await Promise.all(sessions.map((each) => each.say("split it")));
    expect(most).toBe(3);
    expect(agentMeter.running).toBe(0);
    for (const each of sessions)
      expect(refusals(each)).toContain(
        "3 subagents are already running in all sessions together, which is the limit (`max_server_agents`). Do the task yourself.",
      );
  });

  it("may be started again after the next message of the person", async () => {
    const once: Script = ({ messages }) => {
      const last = messages.at(-1);
      const isPerson = last?.role === "user" && JSON.stringify(last).includes("please");
      return isPerson ? calling(call(`c${messages.length}`, "start_subagent", { task: "one" })) : saying("done");
    };
    const memory = new MemorySession({ script: once, options: limited({ maxStarts: 1 }) });
    await memory.say("please");
    await memory.say("please again");
    expect(started(memory)).toHaveLength(2);
    expect(refusals(memory).size).toBe(0);
  });

  it("meet a limit also where each ends before the next is started", async () => {
    let id = 0;
    const script: Script = ({ messages }) => {
      const isChild = JSON.stringify(messages[0]).includes("one more");
      if (isChild) return saying("done");
      id += 1;
      return calling(call(`c${id}`, "agent", { task: `one more ${id}` }));
    };
    const memory = new MemorySession({ script, options: limited({ maxStarts: 7 }) });
    await memory.say("again and again");
    expect(started(memory)).toHaveLength(7);
    expect([...refusals(memory)].join()).toContain("7 subagents have been started since the person's last message");
  });
});
