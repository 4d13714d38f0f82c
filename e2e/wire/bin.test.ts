// The bin with a real server: sessions of every place go there and come back, and what becomes of their worktrees.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
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

const listed = async (client: HarnessClient, query: object = {}) =>
  (await client.call("session/list", query)).sessions.map(({ sessionId }) => sessionId);

it.each<[string, { session_format?: string; project?: boolean }, () => string]>([
  ["a log", {}, () => join(live.home, "conversations")],
  ["Markdown", { session_format: "markdown" }, () => join(live.home, "sessions")],
  ["Markdown in a project", { project: true }, () => join(live.cwd, ".harness", "sessions")],
])("has a deleted session, and gives it back: %s", async (_name, { project = false, ...settings }, place) => {
  const client = await start(settings);
  if (project) mkdirSync(place(), { recursive: true });
  const sessionId = await prompt(client, "parser");
  const folder = join(place(), sessionId);
  expect(existsSync(folder)).toBe(true);
  await client.call("session/delete", { sessionId });
  expect(existsSync(folder)).toBe(false);
  expect(await listed(client)).toEqual([]);
  expect(await listed(client, { deleted: true })).toEqual([sessionId]);
  for (const method of ["session/get", "session/resume", "session/history"] as const)
    await expect(client.call(method, { sessionId })).rejects.toMatchObject({ kind: "not_found" });
  await expect(client.call("session/delete", { sessionId })).rejects.toMatchObject({ kind: "not_found" });
  expect(await client.call("session/restore", { sessionId: sessionId.slice(0, 16) })).toEqual({
    sessionId,
    path: folder,
  });
  expect(await listed(client)).toEqual([sessionId]);
  await client.call("session/resume", { sessionId });
  await prompt(client, "more", sessionId);
  await client.call("session/delete", { sessionId, now: true });
  for (const query of [{}, { deleted: true }]) expect(await listed(client, query)).toEqual([]);
  expect(existsSync(folder)).toBe(false);
});

it("removes a session for good that is in the bin already, and no other by a part of its id", async () => {
  const client = await start();
  const sessionId = await prompt(client, "one");
  await client.call("session/delete", { sessionId });
  await expect(client.call("session/delete", { sessionId: sessionId.slice(0, 12), now: true })).rejects.toMatchObject({
    kind: "not_found",
  });
  await client.call("session/delete", { sessionId, now: true });
  expect(await listed(client, { deleted: true })).toEqual([]);
  expect(readdirSync(join(live.home, "deleted"))).toEqual(["clock.json"]);
  await expect(client.call("session/restore", { sessionId })).rejects.toMatchObject({ kind: "not_found" });
});

it("leaves the worktrees of a session in its repository until it is gone for good", async () => {
  const client = await start();
  const git = (...args: string[]) => spawnSync("git", ["-C", live.cwd, ...args], { encoding: "utf8" }).stdout;
  const sessionId = await prompt(client, "go");
  const place = join(live.home, "conversations", sessionId, "worktrees");
  // As a subagent leaves them.
  git("init", "-q", "-b", "main");
  writeFileSync(join(live.cwd, "a.txt"), "one\n");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first");
  mkdirSync(place, { recursive: true, mode: 0o700 });
  git("worktree", "add", "-q", "-b", "harness/w1", join(place, "w1"));
  writeFileSync(join(place, "w1.root"), `${live.cwd}\n`, { mode: 0o600 });
  writeFileSync(join(place, "w1", "a.txt"), "two\n");
  await client.call("session/delete", { sessionId });
  expect(existsSync(place)).toBe(false);
  await client.call("session/restore", { sessionId });
  expect(readFileSync(join(place, "w1", "a.txt"), "utf8")).toBe("two\n");
  expect(spawnSync("git", ["-C", join(place, "w1"), "status", "--short"], { encoding: "utf8" }).stdout).toBe(
    " M a.txt\n",
  );
  await client.call("session/delete", { sessionId });
  expect(git("worktree", "list").trim().split("\n")).toHaveLength(2);
  await client.call("session/delete", { sessionId, now: true });
  expect(git("worktree", "list").trim().split("\n")).toHaveLength(1);
  expect(git("branch", "--list").trim()).toBe("* main");
});
