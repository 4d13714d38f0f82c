// The archive with a real server: open and stored sessions of both formats, and what other clients hear.
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HarnessClient } from "@harness/client";
import { turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { choose, LiveServer } from "../support/live-server.ts";
import { promptUntilIdle } from "../support/prompt-until-idle.ts";

let live: LiveServer;
afterEach(() => live.close());

async function start(settings: object = {}): Promise<HarnessClient> {
  live = await LiveServer.start({ turns: [turns.say("Answer.", { repeat: "always" })] });
  mkdirSync(live.cwd, { recursive: true });
  mkdirSync(live.home, { recursive: true });
  writeFileSync(join(live.home, "settings.json"), JSON.stringify(settings));
  return (await live.connect(choose("allow_once"))).client;
}

const prompt = (client: HarnessClient, text: string, sessionId?: string) =>
  promptUntilIdle({ live, client }, text, sessionId);

async function listed(client: HarnessClient, query: object = {}): Promise<string[]> {
  const { sessions } = await client.call("session/list", query);
  return sessions.map(({ preview, archived = false }) => `${preview}${archived ? " (archived)" : ""}`);
}

it.each(["jsonl", "markdown"])("takes in sessions that are open, closed or forks: %s", async (format) => {
  const client = await start({ session_format: format });
  const one = await prompt(client, "one");
  const two = await prompt(client, "two");
  await client.call("session/archive", { sessionId: one, archived: true });
  expect(await listed(client)).toEqual(["two"]);
  expect(await listed(client, { archived: true })).toEqual(["one (archived)"]);
  expect((await client.call("session/get", { sessionId: one })).session.archived).toBe(true);
  const fork = (await client.call("session/fork", { sessionId: one })).session;
  expect(fork.archived).toBeUndefined();
  expect((await listed(client)).toSorted()).toEqual(["one", "two"]);
  await client.call("session/close", { sessionId: two });
  const before = (await client.call("session/get", { sessionId: two })).session;
  for (const sessionId of [two, fork.sessionId]) await client.call("session/archive", { sessionId, archived: true });
  expect(await listed(client)).toEqual([]);
  expect((await listed(client, { archived: true })).toSorted()).toEqual([
    "one (archived)",
    "one (archived)",
    "two (archived)",
  ]);
  expect((await client.call("session/get", { sessionId: two })).session).toEqual({ ...before, archived: true });
  const found = await client.call("session/search", { query: "two", archived: true });
  expect(found.hits.map(({ sessionId }) => sessionId)).toEqual([two]);
  expect((await client.call("session/search", { query: "two" })).hits).toEqual([]);
  await client.call("session/archive", { sessionId: two, archived: false });
  expect((await client.call("session/get", { sessionId: two })).session).toEqual(before);
  await prompt(client, "more", one);
  expect(await listed(client, { archived: true })).toEqual(["one (archived)"]);
});

it("takes a session whose folder is gone, changes nothing twice, and other servers see it", async () => {
  const client = await start();
  const sessionId = await prompt(client, "one");
  await client.call("session/close", { sessionId });
  renameSync(live.cwd, `${live.cwd}-gone`);
  const other = await live.connect(choose("allow_once"));
  const { seq } = await client.call("session/get", { sessionId });
  for (const archived of [true, true]) await client.call("session/archive", { sessionId: "one", archived });
  expect((await client.call("session/get", { sessionId })).seq).toBe(seq + 1);
  expect(await listed(other.client, { archived: true })).toEqual(["one (archived)"]);
  await expect(client.call("session/archive", { sessionId: "nope", archived: true })).rejects.toMatchObject({
    kind: "not_found",
  });
  rmSync(`${live.cwd}-gone`, { recursive: true, force: true });
});
