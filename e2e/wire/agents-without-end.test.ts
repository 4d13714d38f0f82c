// Agents that start agents without end, over the wire of a real server: limits hold, and a cancel takes effect
// meanwhile.
import { mkdirSync } from "node:fs";
import type { HarnessClient } from "@harness/client";
import { settings } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

const IN_SESSION = settings.max_session_agents.default;

describe.each([3, 50])("agents that start %d agents in each reply", (each) => {
  let live: LiveServer;
  let client: HarnessClient;
  let sessionId: string;

  const changes = () =>
    live.updates.flatMap(({ update }) => (update.sessionUpdate === "subagent_update" ? [update.state] : []));
  /** The text of a refusal with these words. */
  const refusal = (words: string) =>
    live.until(
      ({ update }) => update.sessionUpdate === "tool_call_update" && update.outcome?.text.includes(words) === true,
    );

  beforeAll(async () => {
    const calls = Array.from({ length: each }, () => ["start_subagent", { task: "split it" }] as const);
    // After that each works until it is stopped: if all continued in the same way, they would count as stuck in a loop.
    const work = turns.call("bash", { command: "until [ -e stop ]; do sleep 0.2; done" });
    live = await LiveServer.start({
      turns: [
        { ...work, when: { toolResultFor: "start_subagent" }, repeat: "always" },
        { ...turns.calls(calls), repeat: "always" },
      ],
    });
    mkdirSync(live.cwd);
    ({ client } = await live.connect());
    const config = { permissionMode: "allow-all" as const };
    ({ sessionId } = (await client.call("session/new", { cwd: live.cwd, config })).session);
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("split it") });
  });
  afterAll(() => live.close());

  it("are no more than a session may have, and learn why", async () => {
    const update = await refusal("in this session");
    expect(JSON.stringify(update)).toContain(
      `${IN_SESSION} subagents are already running in this session, which is the limit (\`max_session_agents\`). Do the task yourself.`,
    );
  });

  it("leave the server able to answer, and stop when asked to", async () => {
    const { sessions } = await client.call("server/status", {});
    expect(sessions[0]?.agentsRunning).toBeLessThanOrEqual(IN_SESSION + 1);
    await client.call("session/cancel", { sessionId });
    const end = await live.idle();
    expect(end.update).toMatchObject({ state: "idle", stopReason: "cancelled" });
    const { agents } = await client.call("agents/list", { sessionId });
    expect(agents.filter(({ state }) => state === "running" || state === "waiting")).toEqual([]);
    let running = 0;
    let most = 0;
    for (const state of changes()) {
      running += state === "running" ? 1 : -1;
      most = Math.max(most, running);
    }
    expect([running, most]).toEqual([0, IN_SESSION]);
  });
});
