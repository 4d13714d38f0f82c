// `/goal`: work goes on until a check by a second request finds the goal met. A real server, a scripted model over HTTP.
import { mkdirSync } from "node:fs";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { TestHome } from "../../packages/cli/test/harness-process.ts";
import { LiveServer } from "../support/live-server.ts";

let live: LiveServer | undefined;
afterEach(async () => {
  await live?.close();
  live = undefined;
});

const verdict = (met: boolean, why: string) => turns.say(JSON.stringify({ met, why }));

async function begin(...script: Parameters<typeof LiveServer.start>[0]["turns"] & object[]) {
  live = await LiveServer.start({ turns: script });
  mkdirSync(live.cwd);
  const { client } = await live.connect();
  const { session } = await client.call("session/new", { cwd: live.cwd });
  const { sessionId } = session;
  const goal = (args: string) => client.call("command/run", { sessionId, name: "goal", args });
  return { live, client, sessionId, goal };
}

type Body = { messages: unknown[]; tools?: unknown };

describe("/goal", () => {
  it("works until it is met, and each check begins with the bytes of the request before it", async () => {
    const { live, goal } = await begin(
      ...[turns.say("I think I am done."), verdict(false, "npm test was not run")],
      ...[turns.call("bash", { command: "echo 12 passed" }), turns.say("They pass."), verdict(true, "12 passed")],
    );
    expect(await goal("--rounds 5 all tests pass")).toMatchObject({ text: "", turnId: expect.any(String) });
    await live.idle();
    const bodies = live.model.chatRequests.map(({ body }) => body as Body);
    expect(bodies).toHaveLength(5);
    for (const at of [1, 4]) {
      const [before, check] = [bodies[at - 1], bodies[at]];
      expect(check?.messages.slice(0, before?.messages.length)).toEqual(before?.messages);
      expect(JSON.stringify(check?.tools)).toBe(JSON.stringify(before?.tools));
    }
    expect(JSON.stringify(bodies[2]?.messages.at(-1))).toContain("npm test was not run");
    const changes = live.updates.flatMap(({ update }) => (update.sessionUpdate === "goal_update" ? [update] : []));
    expect(changes.map(({ state, rounds }) => [state, rounds])).toEqual([
      ["active", 0],
      ["active", 1],
      ["met", 2],
    ]);
    expect((await goal("")).text).toBe("Goal: all tests pass\nMet: 12 passed\nLimits: 5 checks.");
    await expect(goal("clear")).rejects.toThrow("There is no goal.");
  });

  it("is stopped like any turn, and a session that is opened again shows it paused", async () => {
    const { live, client, sessionId, goal } = await begin(turns.say("Hm.", { delayMs: 60_000 }));
    await goal("never");
    await expect(goal("another")).rejects.toThrow("The agent is at work");
    const checks = { used: 0, of: 20 };
    expect(await client.call("hud/get", { sessionId })).toMatchObject({
      goal: { text: "never", state: "active", checks },
    });
    await client.call("session/cancel", { sessionId });
    await live.idle();
    const text =
      "Goal: never\nPaused: the turn was stopped. /goal resume goes on, /goal clear drops it.\nLimits: 20 checks.";
    expect((await goal("")).text).toBe(text);
    await client.close();
    const asked = live.model.chatRequests.length;
    const again = await live.connect();
    await again.client.call("session/resume", { sessionId, replay: { type: "start" } });
    const shown = await again.client.call("command/run", { sessionId, name: "goal", args: "" });
    expect(shown.text).toBe(text);
    expect(live.model.chatRequests).toHaveLength(asked);
  });

  it.each([
    ["--rounds 0 x"],
    ["--rounds 101 x"],
    ["--rounds 1.5 x"],
    ["--tokens ten x"],
    ["--cost -1 x"],
    ["--constructor 1 x"],
    ["--rounds 3"],
  ])("refuses %j, and sets nothing", async (args) => {
    const { goal } = await begin();
    await expect(goal(args)).rejects.toThrow("Usage: ");
    expect((await goal("")).text).toBe("There is no goal. /goal TEXT sets one.");
  });
});

it("a goal that is too long is refused", async () => {
  const { goal } = await begin();
  await expect(goal("x".repeat(4_001))).rejects.toThrow("at most 4000 characters");
});

describe("harness run '/goal …'", () => {
  it("ends with 0 when it is met, else with the reason and the code of a limit", async () => {
    live = await LiveServer.start({
      turns: [turns.say("Done."), verdict(true, "it is"), turns.say("Tried."), verdict(false, "it is not")],
    });
    const place = new TestHome(live.model.environment);
    try {
      expect(await place.run(["run", "/goal be done"])).toMatchObject({ code: 0, stdout: "Done.\n" });
      const missed = await place.run(["run", "/goal --rounds 1 be done"]);
      expect(missed).toMatchObject({ code: 5, stdout: "Tried.\n" });
      expect(missed.stderr).toContain("The goal is paused: it was checked once and not met.");
    } finally {
      place.remove();
    }
  });
});
