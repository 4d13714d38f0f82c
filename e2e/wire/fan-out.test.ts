// A named agent in eight copies over the wire of a real server: one fails, one uses up its budget, six find something.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HarnessClient } from "@harness/client";
import type { AgentView, SessionUpdate } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

const isIdle = ({ update }: SessionUpdate) => update.sessionUpdate === "state_update" && update.state === "idle";

const CHILDREN = 8;
const FAILING = 3;
const SPENDING = 5;

describe("a fan-out of eight", () => {
  let live: LiveServer;
  let client: HarnessClient;
  let agents: AgentView[];
  /** The results that the main agent received, by task. */
  const results = new Map<number, string>();
  const requestsOf = (n: number) =>
    live.model.chatRequests.filter(({ body }) => JSON.stringify(body).includes(`:"part-${n} `));

  beforeAll(async () => {
    const order = (n: number) => ({
      task: `part-${n} is yours`,
      agent: "finder",
      ...(n === SPENDING ? { budget: { turns: 2 } } : {}),
    });
    const look = turns.call("glob", { pattern: "*" });
    live = await LiveServer.start({
      lanes: [
        {
          match: `part-${FAILING} is yours`,
          turns: [turns.fail({ kind: "status", status: 400, body: { error: { message: "no such thing" } } })],
        },
        { match: `part-${SPENDING} is yours`, turns: [{ ...look, text: "still looking", repeat: "always" }] },
        { match: "is yours", perConversation: true, turns: [look, turns.say("found it")] },
      ],
      turns: [
        turns.calls(Array.from({ length: CHILDREN }, (_, n) => ["start_subagent", order(n)])),
        turns.say("All of them have ended.", { repeat: "always" }),
      ],
    });
    mkdirSync(live.cwd);
    mkdirSync(join(live.home, "agents"), { recursive: true });
    const file = "---\ndescription: Finds things.\ntools: Glob, Grep\n---\nYou find things.\n";
    writeFileSync(join(live.home, "agents/finder.md"), file);
    ({ client } = await live.connect());
    const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("find everything") });
    await live.idle();
    ({ agents } = await client.call("agents/list", { sessionId }));
    for (const { agentId, update } of live.updates) {
      if (agentId !== "main" || update.sessionUpdate !== "user_message" || update.origin !== "subagent") continue;
      const [content] = update.content;
      const task = agents.find((each) => each.agentId === update.fromAgentId)?.task ?? "";
      results.set(Number(/\d/.exec(task)?.[0]), content?.type === "text" ? content.text : "");
    }
  });
  afterAll(() => live.close());

  it("a fan-out of eight tells the main agent of every child: results, a failure, a budget that is used up", () => {
    expect(results.size).toBe(CHILDREN);
    for (const [n, text] of results) {
      if (n === FAILING) expect(text).toMatch(/^SUBAGENT agent-4 FAILED: .*no such thing/);
      else if (n === SPENDING)
        expect(text).toBe(
          "SUBAGENT agent-6 FAILED: it used up its budget of 2 requests. Its last message: still looking",
        );
      else expect(text).toBe(`SUBAGENT agent-${n + 1} COMPLETED: found it`);
    }
    expect(requestsOf(SPENDING)).toHaveLength(2);
  });

  it("a fan-out of eight is shown as it is, with names, states and what each has used", () => {
    const [main, ...children] = agents;
    expect(main).toMatchObject({ agentId: "main", state: "idle" });
    expect(children.map(({ name }) => name)).toEqual(Array.from({ length: CHILDREN }, () => "finder"));
    const failed = children.filter(({ state }) => state === "failed").map(({ agentId }) => agentId);
    expect(failed).toEqual(["agent-4", "agent-6"]);
    const tokens = (views: readonly AgentView[]) =>
      views.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0), 0);
    const end = live.updates.findLast(
      ({ agentId, update }) => agentId === "main" && update.sessionUpdate === "state_update",
    );
    expect(end?.update).toMatchObject({ stopReason: "end_turn", usage: { inputTokens: tokens(agents) } });
  });

  it("a fan-out of eight has the tools and the prompt of the named agent, and a model with room sees the agent", async () => {
    const names = (body: unknown) =>
      (body as { tools: { function: { name: string } }[] }).tools.map((tool) => tool.function.name);
    for (const { body } of requestsOf(0)) {
      expect(names(body)).toEqual(["glob", "grep"]);
      expect(JSON.stringify(body)).toContain("You find things.");
    }
    await client.call("settings/set", { edits: [{ key: "context_limit", value: 60_000 }] });
    const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
    await client.call("session/prompt", { sessionId, promptId: "p2", prompt: say("hello") });
    await live.until((each) => each.sessionId === sessionId && isIdle(each));
    const last = JSON.stringify(live.model.chatRequests.at(-1)?.body);
    expect(last).toContain("finder: Finds things.");
    expect(last).not.toContain("You find things.");
  });
});
