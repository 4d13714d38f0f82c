// A session in the list, live and stored: the same row.
import { mkdirSync } from "node:fs";
import type { HarnessClient } from "@harness/client";
import type { SessionSummary } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
beforeEach(async () => {
  const write = turns.call("write", { path: "a.txt", content: "one\ntwo\n" });
  live = await LiveServer.start({
    turns: [write, turns.say("First line of the answer.\nMore.", { repeat: "always" })],
  });
  for (const each of [live.cwd, live.home]) mkdirSync(each, { recursive: true });
});
afterEach(() => live.close());

/** The fields of listed sessions that do not depend on the moment. */
async function rows(client: HarnessClient): Promise<object[]> {
  const { sessions } = await client.call("session/list", { cwd: live.cwd });
  return sessions.map(lasting);
}

function lasting({ state: _state, updatedAt: _updatedAt, ...row }: SessionSummary): object {
  return row;
}

async function prompted(client: HarnessClient): Promise<string> {
  const { session } = await client.call("session/new", { cwd: live.cwd, config: { permissionMode: "accept-edits" } });
  const { sessionId } = session;
  await client.call("session/prompt", { sessionId, promptId: "p", prompt: say("  make\na file ") });
  await live.idle(0);
  return sessionId;
}

it("a session's row does not change when it is closed, nor when it is opened again", async () => {
  const { client } = await live.connect();
  const sessionId = await prompted(client);
  const [row] = await rows(client);
  expect(row).toMatchObject({
    sessionId,
    preview: "make a file",
    turns: 1,
    model: "scripted",
    provider: "openai",
    answer: "First line of the answer.",
    changes: { added: 2, removed: 0 },
  });
  await client.call("session/set_title", { sessionId, title: "named" });
  const named = { ...row, title: "named" };
  expect(await rows(client)).toEqual([named]);
  await client.call("session/close", { sessionId });
  expect(await rows(client)).toEqual([named]);
  const { session } = await client.call("session/resume", { sessionId });
  expect([lasting(session), await rows(client)]).toEqual([named, [named]]);
});

it("an ephemeral session is described as fully", async () => {
  const { client } = await live.connect();
  const { session } = await client.call("session/new", { cwd: live.cwd, ephemeral: true });
  const { sessionId } = session;
  await client.call("session/prompt", { sessionId, promptId: "p", prompt: say("go") });
  await live.idle(0);
  expect((await client.call("session/get", { sessionId })).session).toMatchObject({
    preview: "go",
    turns: 1,
    model: "scripted",
  });
});
