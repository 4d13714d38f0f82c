// One whole server, two clients: the first answer decides, whatever the other client does.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { annAndBob, openTestServer, type TestServer } from "../support/several-clients.ts";

let office: TestServer;

beforeEach(async () => {
  const touch = turns.call("bash", { command: "touch made" });
  office = await openTestServer({ turns: [touch, turns.say("done")] });
});
afterEach(() => office.close());

const made = () => existsSync(join(office.project, "made"));
const aborted = (signal: AbortSignal) =>
  signal.aborted ? Promise.resolve() : new Promise<void>((done) => signal.addEventListener("abort", () => done()));

it("two clients both get the request, the first answer counts, the other request is withdrawn, and a late answer is a conflict", async () => {
  const { ann, bob, sessionId } = await annAndBob(office);
  const [anns, bobs] = await Promise.all([ann.request("made"), bob.request("made")]);
  const { permissionId } = anns.permission;
  expect(bobs.permission).toEqual(anns.permission);
  bobs.answer("reject_once");
  await aborted(anns.withdrawn);
  anns.answer("allow_once");
  expect(await ann.resolved(anns)).toMatchObject({
    permissionId,
    outcome: { outcome: "selected", optionId: "reject_once" },
    by: "bob",
  });
  const outcome = { outcome: "selected", optionId: "allow_once" } as const;
  const late = ann.client.call("permission/reply", { sessionId, permissionId, outcome });
  await expect(late).rejects.toMatchObject({ kind: "conflict" });
  await ann.idle();
  expect(made()).toBe(false);
  expect((await ann.client.call("permission/list", { sessionId })).pending).toEqual([]);
});

it("two answers at once decide exactly once", async () => {
  const { ann, bob, sessionId } = await annAndBob(office);
  const [anns, bobs] = await Promise.all([ann.request("made"), bob.request("made")]);
  const { permissionId } = anns.permission;
  anns.answer("allow_once");
  bobs.answer("reject_once");
  await ann.idle();
  const resolved = ann.updates.filter(({ update }) => update.sessionUpdate === "permission_resolved");
  expect(resolved).toHaveLength(1);
  expect(resolved[0]?.update).toMatchObject({ permissionId });
  const { update } = resolved[0] ?? {};
  const isAllowed = update?.sessionUpdate === "permission_resolved" && update.by === "ann";
  expect(made()).toBe(isAllowed);
  const replies = [ann, bob].map(({ client }) =>
    client.call("permission/reply", {
      sessionId,
      permissionId,
      outcome: { outcome: "selected", optionId: "allow_once" },
    }),
  );
  for (const reply of replies) await expect(reply).rejects.toMatchObject({ kind: "conflict" });
});

it("a request from before a change of mode answers nothing", async () => {
  const { ann, bob, sessionId } = await annAndBob(office);
  const [anns] = await Promise.all([ann.request("made"), bob.request("made")]);
  const { permissionId } = anns.permission;
  await bob.client.call("session/set_config_option", { sessionId, config: { permissionMode: "deny" } });
  await aborted(anns.withdrawn);
  anns.answer("allow_once");
  const outcome = { outcome: "selected", optionId: "allow_once" } as const;
  const late = ann.client.call("permission/reply", { sessionId, permissionId, outcome });
  await expect(late).rejects.toMatchObject({ kind: "conflict" });
  await ann.idle();
  expect(made()).toBe(false);
});

it("a refused prompt holds back no update", async () => {
  const { ann, bob, sessionId } = await annAndBob(office);
  const anns = await ann.request("made");
  const prompt = [{ type: "text" as const, text: "me too" }];
  const refused = bob.client.call("session/prompt", { sessionId, promptId: "q", prompt, delivery: "start" });
  await expect(refused).rejects.toMatchObject({ kind: "conflict" });
  anns.answer("allow_once");
  await Promise.all([ann.idle(), bob.idle()]);
  expect(made()).toBe(true);
});
