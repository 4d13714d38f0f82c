// Full-text search over a real server process.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

const SECRET = "hunter2-correct-horse-battery";

let live: LiveServer;
afterEach(() => live.close());

it("session/search finds what was said in open and closed sessions, after a restart, without the index, and hides secrets", async () => {
  live = await LiveServer.start({ turns: [turns.say("The answer has a kumquat.", { repeat: "always" })] });
  for (const each of [live.cwd, live.home]) mkdirSync(each, { recursive: true });
  const { client } = await live.connect(undefined, { MY_API_KEY: SECRET });
  const prompt = async (text: string) => {
    const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
    await client.call("session/prompt", { sessionId, promptId: `p ${text}`, prompt: say(text) });
    await live.until(
      ({ sessionId: of, update }) =>
        of === sessionId && update.sessionUpdate === "state_update" && update.state === "idle",
    );
    return sessionId;
  };
  const closed = await prompt(`a durian ${SECRET} and more`);
  await client.call("session/close", { sessionId: closed });
  const open = await prompt("a rambutan");

  const found = await client.call("session/search", { query: "durian" });
  expect(found).toMatchObject({
    hits: [{ sessionId: closed, folder: live.cwd, seq: expect.any(Number), agentId: "main", kind: "message" }],
    count: 1,
    pending: 0,
  });
  expect(found.hits[0]?.excerpt).toBe("a durian [secret MY_API_KEY] and more");
  expect(JSON.stringify(await client.call("session/search", { query: "battery more" }))).not.toContain("horse");
  expect((await client.call("session/search", { query: "rambutan" })).hits).toMatchObject([{ sessionId: open }]);
  const both = await client.call("session/search", { query: "kumquat" });
  expect(both.hits.map(({ sessionId }) => sessionId).sort()).toEqual([closed, open].sort());

  await expect(client.call("session/search", { query: "x", since: "yesterday" })).rejects.toMatchObject({
    kind: "invalid_params",
    message: '"yesterday" is no date. Write it like 2026-11-21.',
  });
  const index = join(live.home, "conversations", ".search.db");
  rmSync(index);
  expect(await client.call("session/search", { query: "kumquat" })).toEqual(both);
  writeFileSync(index, "garbage");
  const other = (await live.connect()).client;
  expect(await other.call("session/search", { query: "kumquat" })).toMatchObject({ count: 2, pending: 0 });
  expect((await other.call("session/list", {})).total).toBe(2);
});
