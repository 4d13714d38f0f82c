// Two subagents and the main agent ask at once; two users answer, independently.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Permission } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { annAndBob, openTestServer, type TestServer } from "../support/several-clients.ts";

let office: TestServer;

const put = (file_path: string) => turns.call("write", { file_path, content: "x" });
const lane = (name: string, file: string) => ({
  match: `task ${name}`,
  turns: [put(file), turns.say(`${name} is done`)],
});

beforeEach(async () => {
  const both = turns.calls([
    ["start_subagent", { task: "task one" }],
    ["start_subagent", { task: "task two" }],
    ["write", { file_path: "lib/main", content: "x" }],
  ]);
  const end = { ...turns.say("all done"), repeat: "always" as const };
  const lanes = [lane("one", "src/one"), lane("two", "src/two"), { match: "go", turns: [both, end] }];
  office = await openTestServer({ lanes });
});
afterEach(() => office.close());

async function start() {
  const { ann, bob, sessionId } = await annAndBob(office);
  const files = ["src/one", "src/two", "lib/main"];
  const requests = await Promise.all(files.map((file) => ann.request(file)));
  await Promise.all(files.map((file) => bob.request(file)));
  const pending = async () =>
    (await ann.client.call("permission/list", { sessionId })).pending.map(({ permission }) => permission);
  return { ann, bob, client: ann.client, sessionId, requests, pending };
}

const there = (file: string) => existsSync(join(office.project, file));
const titles = (permissions: readonly Permission[]) => permissions.map(({ title }) => title.split(" ").at(-1)).sort();

it("several requests are listed with their agents, and an answer for the session withdraws those it covers", async () => {
  const { ann, bob, requests, pending } = await start();
  const listed = await pending();
  expect(titles(listed)).toEqual(["lib/main", "src/one", "src/two"]);
  expect(new Set(listed.map(({ agentId }) => agentId)).size).toBe(3);
  const [one, two, main] = requests;
  if (!one || !two || !main) throw new Error("no requests");
  (await bob.request("src/two")).answer("allow_session");
  expect(await ann.resolved(one)).toMatchObject({ outcome: { outcome: "cancelled" }, reason: "answer_kept" });
  expect(await ann.resolved(two)).toMatchObject({
    outcome: { optionId: "allow_session" },
    by: "bob",
    reason: "answered",
  });
  expect([one.withdrawn.aborted, two.withdrawn.aborted, main.withdrawn.aborted]).toEqual([true, true, false]);
  expect(titles(await pending())).toEqual(["lib/main"]);
  main.answer("reject_once");
  await ann.idle();
  expect(["src/one", "src/two", "lib/main"].map(there)).toEqual([true, true, false]);
  expect(await pending()).toEqual([]);
});

it("several requests are answered by different clients, in any order", async () => {
  const { ann, bob, requests, client, sessionId, pending } = await start();
  const [one, two, main] = requests;
  if (!one || !two || !main) throw new Error("no requests");
  main.answer("allow_once");
  (await bob.request("src/one")).answer("reject_once");
  const { permissionId } = two.permission;
  const outcome = { outcome: "selected", optionId: "allow_once" } as const;
  await client.call("permission/reply", { sessionId, permissionId, outcome });
  const ends = await Promise.all([one, two, main].map((request) => bob.resolved(request)));
  expect(ends.map(({ by }) => by)).toEqual(["bob", "ann", "ann"]);
  await ann.idle();
  expect(["src/one", "src/two", "lib/main"].map(there)).toEqual([false, true, true]);
  expect(await pending()).toEqual([]);
});

it("a new rule withdraws the open requests that it covers", async () => {
  const { ann, requests, client, pending } = await start();
  const [one, two, main] = requests;
  if (!one || !two || !main) throw new Error("no requests");
  const rule = { cwd: office.project, scope: "project", decision: "deny", rule: "write(src/**)" } as const;
  await client.call("permissions/add", rule);
  for (const request of [one, two])
    expect(await ann.resolved(request)).toMatchObject({
      outcome: { outcome: "cancelled" },
      by: "harness",
      reason: "rules_changed",
    });
  expect(titles(await pending())).toEqual(["lib/main"]);
  await client.call("settings/set", { edits: [{ key: "denied_command_prefixes", value: ["touch"] }] });
  expect(titles(await pending())).toEqual(["lib/main"]);
  main.answer("allow_once");
  await ann.idle();
  expect(["src/one", "src/two", "lib/main"].map(there)).toEqual([false, false, true]);
});
