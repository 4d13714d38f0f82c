// Agents that talk to each other, get messages and are stopped, and what remains of them after kill -9: a real server
// process.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HarnessClient } from "@harness/client";
import type { SessionUpdate, UpdateOf } from "@harness/protocol";
import { type ScenarioInput, siblingReplies, startSubagentCall as start, turns, untilFile } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
let client: HarnessClient;
let sessionId: string;

async function begin(scenario: ScenarioInput) {
  live = await LiveServer.start(scenario);
  mkdirSync(live.cwd);
  const connected = await live.connect(choose("allow_once"));
  client = connected.client;
  ({ sessionId } = (await client.call("session/new", { cwd: live.cwd })).session);
  return connected.process;
}
afterEach(() => live.close());

const prompt = (promptId: string, text: string, agentId?: string) =>
  client.call("session/prompt", { sessionId, promptId, prompt: say(text), ...(agentId ? { agentId } : {}) });
const hangs = { ...turns.say("never"), fault: { kind: "hang" as const } };
const hang = {
  ...turns.say("never"),
  repeat: "always" as const,
  fault: { kind: "hang" as const, times: "always" as const },
};
const lane = (match: string, ...script: ScenarioInput["turns"] & object[]) => ({ match, turns: script });

const updatesOf = <K extends "inbox_update" | "subagent_update" | "user_message">(kind: K) =>
  live.updates.flatMap(({ agentId, update }) =>
    update.sessionUpdate === kind ? [{ agentId, ...(update as UpdateOf<K>) }] : [],
  );
const textsOf = (agentId: string) =>
  updatesOf("user_message").flatMap(({ agentId: owner, content: [part] }) =>
    owner === agentId && part?.type === "text" ? [part.text] : [],
  );
const isEnd = (childAgentId: string) => (each: SessionUpdate) =>
  each.update.sessionUpdate === "subagent_update" &&
  each.update.childAgentId === childAgentId &&
  each.update.state !== "running";
const lastRequest = () => JSON.stringify(live.model.chatRequests.at(-1)?.body);

describe("agents over the wire", () => {
  it("are siblings that exchange five messages and merge their work", async () => {
    const [taskOne, taskTwo] = siblingReplies((path, content) => turns.call("write", { file_path: path, content }));
    const isMerge = { when: { lastMessage: "merge" } };
    await begin({
      lanes: [
        lane("task one", ...taskOne),
        lane("task two", ...taskTwo),
        lane(
          "go",
          // One after the other: the order of two calls in a reply is not defined.
          turns.calls([start("task one")]),
          turns.calls([start("task two")]),
          turns.call("bash", { command: "cat a.txt b.txt > all.txt" }, isMerge),
          turns.say("merged", { when: { toolResultFor: "bash" } }),
          turns.say("I wait.", { repeat: "always" }),
        ),
      ],
    });
    await prompt("p1", "go");
    const { seq } = await live.idle();
    expect(textsOf("agent-1").slice(1)).toEqual([
      "MESSAGE from agent-2: The second one.",
      "MESSAGE from agent-2: Then I take B.",
    ]);
    expect(textsOf("agent-2").slice(1)).toEqual([
      "MESSAGE from agent-1: What is your half?",
      "MESSAGE from agent-1: Mine is A.",
      "MESSAGE from agent-1: Agreed.",
    ]);
    const inbox = updatesOf("inbox_update").filter(({ agentId }) => agentId !== "main");
    expect(inbox.filter(({ state }) => state === "queued")).toHaveLength(5);
    expect(inbox.filter(({ state }) => state === "read")).toHaveLength(5);
    expect(textsOf("main").slice(1).sort()).toEqual([
      "SUBAGENT agent-1 COMPLETED: a.txt has A",
      "SUBAGENT agent-2 COMPLETED: b.txt has B",
    ]);
    await prompt("p2", "merge");
    await live.idle(seq);
    expect(readFileSync(join(live.cwd, "all.txt"), "utf8")).toBe("AB");
    const { agents } = await client.call("agents/list", { sessionId });
    expect(agents).toMatchObject([
      { agentId: "main", state: "idle", model: "scripted" },
      { agentId: "agent-1", state: "completed", usage: { inputTokens: expect.any(Number) } },
      { agentId: "agent-2", state: "completed" },
    ]);
  });

  it("are spoken to by a person, and stopped alone or in the background by a second cancel", async () => {
    await begin({
      lanes: [
        lane("task slow", hang),
        lane("task listener", untilFile("told"), turns.say("I heard: {{lastMessage}}")),
        lane(
          "go",
          turns.calls([start("task slow", { background: true })]),
          turns.calls([start("task listener")]),
          turns.calls([start("task slow")]),
          turns.say("I wait.", { repeat: "always" }),
        ),
      ],
    });
    await prompt("p1", "go");
    await live.until(
      ({ agentId, update }) =>
        agentId === "agent-2" && update.sessionUpdate === "tool_call_update" && update.status === "in_progress",
    );
    expect(await prompt("x1", "Use tabs.", "agent-2")).toMatchObject({ disposition: "steered" });
    expect(await prompt("x1", "Use tabs.", "agent-2")).toMatchObject({ duplicate: true });
    expect(await client.call("agents/list", { sessionId })).toMatchObject({
      agents: [{}, { background: true }, { agentId: "agent-2", unread: 1 }, {}],
    });
    await client.call("session/shell", { sessionId, command: "touch told", share: false });
    await live.until(isEnd("agent-2"));
    expect(textsOf("agent-2")).toContain("Use tabs.");
    await expect(prompt("x2", "More.", "agent-2")).rejects.toMatchObject({
      kind: "conflict",
      message: expect.stringContaining("has ended (completed)"),
    });
    expect(await client.call("session/cancel", { sessionId, agentId: "agent-3" })).toMatchObject({ cancelled: true });
    await live.idle();
    expect(await client.call("agents/list", { sessionId })).toMatchObject({
      agents: [{ state: "idle" }, { state: "running" }, { state: "completed" }, { state: "cancelled" }],
    });
    expect(await client.call("session/cancel", { sessionId })).toMatchObject({ cancelled: true });
    await live.until(isEnd("agent-1"));
    expect(await client.call("session/cancel", { sessionId })).toMatchObject({ cancelled: false });
  });

  it("are interrupted by kill -9 with three at work; the result of the fourth and unread messages arrive after it", async () => {
    const server = await begin({
      lanes: [
        lane("task slow", hang),
        lane("task quick", turns.say("the port is 8080")),
        lane(
          "go",
          turns.calls([start("task slow")]),
          turns.calls([start("task slow")]),
          turns.calls([start("task slow")]),
          turns.calls([start("task quick")]),
          hangs,
          turns.say("Fine.", { repeat: "always" }),
        ),
      ],
    });
    await prompt("p1", "go");
    await live.until(isEnd("agent-4"));
    await prompt("x1", "Hurry up.", "agent-1");
    const known = live.updates.findLast(({ seq }) => seq !== undefined)?.seq ?? 0;
    process.kill(server.pid ?? Number.NaN, "SIGKILL");
    await server.exited;
    client = (await live.connect()).client;
    const { seq } = await client.call("session/resume", { sessionId, replay: { type: "after", seq: known } });
    const states = ["idle", "interrupted", "interrupted", "interrupted", "completed"];
    const { agents } = await client.call("agents/list", { sessionId });
    expect(agents.map(({ state }) => state)).toEqual(states);
    expect(agents[0]?.unread).toBe(4);
    expect(updatesOf("inbox_update").at(-1)).toMatchObject({ agentId: "agent-1", state: "dropped" });
    expect(JSON.stringify(live.updates)).toContain("Your message to agent-1 was not read");
    expect(await prompt("x1", "Hurry up.", "agent-1")).toMatchObject({ duplicate: true });
    await prompt("p2", "on");
    await live.idle(seq);
    const told = lastRequest();
    expect(told.split("SUBAGENT agent-4 COMPLETED: the port is 8080")).toHaveLength(2);
    for (const n of [1, 2, 3]) expect(told.split(`SUBAGENT agent-${n} FAILED: interrupted`)).toHaveLength(2);
  });
});
