// A session whose folder has moved, over a real server process.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
let at: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  at = await start();
});
afterEach(() => live.close());

/** A session with one turn, closed. */
async function start() {
  live = await LiveServer.start({ turns: [turns.say("ok", { repeat: "always" })] });
  for (const each of [live.cwd, live.home]) mkdirSync(each, { recursive: true });
  const { client } = await live.connect();
  const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
  await client.call("session/prompt", { sessionId, promptId: "p", prompt: say("go") });
  await live.idle(0);
  await client.call("session/close", { sessionId });
  return { client, sessionId, moved: join(live.root, "moved") };
}

describe("session/resume", () => {
  it("says that the folder is gone, makes none, and lets all else be done with the session", async () => {
    const { client, sessionId, moved } = at;
    renameSync(live.cwd, moved);
    await expect(client.call("session/resume", { sessionId })).rejects.toMatchObject({
      kind: "folder_gone",
      message: `The folder of session ${sessionId} is gone: ${live.cwd} does not exist.`,
      data: { sessionId, cwd: live.cwd },
    });
    await client.call("session/set_title", { sessionId, title: "named" });
    expect((await client.call("session/get", { sessionId })).session.title).toBe("named");
    expect((await client.call("session/history", { sessionId })).events.length).toBeGreaterThan(1);
    expect(existsSync(live.cwd)).toBe(false);
    await client.call("session/delete", { sessionId });
  });

  it("goes along to the folder that it is given, for good", async () => {
    const { client, sessionId, moved } = at;
    renameSync(live.cwd, moved);
    expect((await client.call("session/resume", { sessionId, cwd: moved })).session.cwd).toBe(moved);
    // Repeating it is not an error.
    expect((await client.call("session/resume", { sessionId, cwd: moved })).session.cwd).toBe(moved);
    await client.call("session/close", { sessionId });
    expect((await client.call("session/resume", { sessionId })).session.cwd).toBe(moved);
    expect((await client.call("session/list", { cwd: moved })).sessions).toMatchObject([{ sessionId, cwd: moved }]);
    expect((await client.call("session/list", { cwd: live.cwd })).sessions).toEqual([]);
    const log = readFileSync(join(live.home, "conversations", sessionId, "log.jsonl"), "utf8");
    expect(log.match(/"sessionUpdate":"folder_update"/g)).toHaveLength(1);
    const { events } = await client.call("session/history", { sessionId });
    expect(events.filter(({ update }) => update.sessionUpdate === "notice")).toMatchObject([
      { update: { title: `This session goes on in ${moved}.` } },
    ]);
  });

  it("is not sent elsewhere while the folder is there, nor to one that is not", async () => {
    const { client, sessionId, moved } = at;
    await expect(client.call("session/resume", { sessionId, cwd: moved })).rejects.toMatchObject({
      kind: "invalid_params",
    });
    mkdirSync(moved);
    const refused = { kind: "conflict", message: expect.stringContaining("it was not moved") };
    await expect(client.call("session/resume", { sessionId, cwd: moved })).rejects.toMatchObject(refused);
    await client.call("session/resume", { sessionId });
    await expect(client.call("session/resume", { sessionId, cwd: moved })).rejects.toMatchObject(refused);
  });
});

describe("session/moved", () => {
  const same = async (cwd: string) =>
    (await at.client.call("session/moved", { cwd })).sessions.map((each) => each.same);

  it("tells a folder that was moved from one that was made in its place", async () => {
    const { moved } = at;
    expect(await same(live.root)).toEqual([]);
    renameSync(live.cwd, moved);
    expect(await same(moved)).toEqual(["folder"]);
    expect(await same(live.root)).toEqual(["unknown"]);
    rmSync(moved, { recursive: true });
    mkdirSync(moved);
    expect(await same(moved)).toEqual(["unknown"]);
  });
});
