// Sessions that go on without a window: begun in the background, found, looked at, answered and stopped by others.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ListeningHome, SocketClient } from "../support/listening-server.ts";

let place: ListeningHome;
beforeEach(async () => {
  place = await ListeningHome.with({
    turns: [turns.call("bash", { command: "touch made" }), turns.say("All done.", { repeat: "always" })],
  });
});
afterEach(() => place.close());

const made = () => existsSync(join(place.cwd, "made"));

type Begun = { sessionId: string; socketPath: string; pid: number };

async function begun(...words: string[]): Promise<Begun> {
  const { code, stdout, stderr } = await place.run("run", "--background", "--output-format", "json", ...words);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const found = JSON.parse(stdout) as Begun;
  return found;
}

async function liveOnes(): Promise<{ sessionId: string; state: string; asks: string[]; clients: number }[]> {
  return JSON.parse((await place.run("sessions", "--live", "--json")).stdout).sessions;
}

it("a run in the background waits for an answer, is found, answered by one of two, and is resumable when it has ended", async () => {
  const { sessionId, socketPath, pid } = await begun("make it");
  const ann = await SocketClient.at(socketPath, "ann");
  await ann.client.call("session/resume", { sessionId, replay: { type: "start" } });
  const anns = await ann.ask();
  expect(await liveOnes()).toMatchObject([
    { sessionId, state: "requires_action", asks: ["bash touch made"], clients: 1 },
  ]);
  const bob = await SocketClient.at(socketPath, "bob");
  await bob.client.call("session/resume", { sessionId, replay: { type: "start" } });
  (await bob.ask()).answer("allow_once");
  await ann.withdrawn(anns);
  await Promise.all([ann.idle(), bob.idle()]);
  expect(made()).toBe(true);
  const { code } = await place.run("stop", sessionId);
  expect(code).toBe(0);
  process.kill(pid, "SIGTERM");
  await Promise.all([ann.lost, bob.lost]);
  const again = await place.run("run", "-r", sessionId, "and now?");
  expect(again).toMatchObject({ code: 0, stdout: "All done.\n" });
});

it("those who look at a session learn that it was stopped, and can go on with it", async () => {
  place.model.setScenario({
    turns: [
      turns.call("bash", { command: "sleep 600", background: true }),
      turns.call("bash", { command: "touch made" }),
      turns.say("Here again.", { repeat: "always" }),
    ],
  });
  const { sessionId, socketPath } = await begun("make it");
  const ann = await SocketClient.at(socketPath, "ann");
  const { client, updates } = ann;
  await client.call("session/resume", { sessionId, replay: { type: "start" } });
  (await ann.ask()).answer("allow_once");
  const open = await ann.until(() => ann.asks.find(({ permission }) => permission.title.includes("touch made")));
  const queued = { sessionId, promptId: "p2", prompt: [{ type: "text" as const, text: "then this" }] };
  expect(await client.call("session/prompt", { ...queued, delivery: "queue" })).toMatchObject({
    disposition: "queued",
  });
  const { code, stderr } = await place.run("stop", sessionId);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("still open in one place") });
  await ann.withdrawn(open);
  const end = await ann.idle();
  expect(end.update).toMatchObject({ stopReason: "cancelled" });
  const notices = updates.flatMap(({ update }) => (update.sessionUpdate === "notice" ? [update.title] : []));
  expect(notices).toContain("This session was stopped (harness stop).");
  const { processes } = await client.call("process/list", { sessionId });
  expect(processes).toMatchObject([{ state: "stopped" }]);
  expect(await client.call("session/get", { sessionId })).toMatchObject({ queue: [] });
  await client.call("session/prompt", { ...queued, promptId: "p3" });
  await ann.idle(end.seq);
  expect(JSON.stringify(updates)).toContain("Here again.");
  expect(made()).toBe(false);
});

it("a session that nobody looks at is ended by harness stop, and the call that waited is not made", async () => {
  const { sessionId } = await begun("make it");
  expect((await place.run("stop", sessionId)).code).toBe(0);
  expect(await liveOnes()).toEqual([]);
  expect(made()).toBe(false);
  const again = await place.run("stop", sessionId);
  expect(again.code).not.toBe(0);
  expect(again.stderr).toContain("harness sessions --live");
});

it("harness attach --json prints what happens, and a run on a session that is held elsewhere names the way to it", async () => {
  const { sessionId, pid } = await begun("make it");
  const held = await place.run("run", "-r", sessionId, "hello");
  expect(held.code).not.toBe(0);
  expect(held.stderr).toContain(`harness attach ${sessionId}`);
  const attached = place.start("attach", sessionId.slice(0, -2), "--json");
  const ended = once(attached, "close");
  let said = "";
  attached.stdout?.setEncoding("utf8").on("data", (text: string) => (said += text));
  while (!said.includes("permission_requested")) await once(attached.stdout ?? attached, "data");
  const ann = await SocketClient.at((await begunAt(sessionId)).socketPath, "ann");
  await ann.client.call("session/resume", { sessionId });
  (await ann.ask()).answer("reject_once");
  await ann.idle();
  process.kill(pid, "SIGTERM");
  await ended;
  const kinds = said
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).update.sessionUpdate);
  expect(kinds).toContain("user_message");
  expect(kinds).toContain("permission_resolved");
  expect(kinds).toContain("agent_message");
});

async function begunAt(sessionId: string): Promise<{ socketPath: string }> {
  const { sessions } = JSON.parse((await place.run("sessions", "--live", "--json")).stdout);
  return sessions.find((each: Begun) => each.sessionId === sessionId);
}

it("what only matters at the end of a run is refused in the background, and so is attaching without a terminal", async () => {
  const refused = await place.run("run", "--background", "--output", "answer.txt", "make it");
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("--background and --output cannot be combined");
  const attached = await place.run("attach");
  expect(attached.code).toBe(2);
  expect(attached.stderr).toContain("--json");
});
