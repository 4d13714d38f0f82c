// One whole server, two clients: who answers first decides, whatever the other one does.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, linkedPair, openClient } from "@harness/client";
import type { Permission, PermissionOutcome, SessionUpdate } from "@harness/protocol";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { composeServer } from "../compose.ts";
import type { HarnessServer } from "../harness-server.ts";
import { say } from "./live-server.fixture.ts";

/** A card before somebody, to be answered when the test wants to. */
type Card = { permission: Permission; withdrawn: AbortSignal; answer(optionId: string): void };

let root: string;
let model: ModelServer;
let server: HarnessServer;

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "harness-two-")));
  mkdirSync(join(root, "project"));
  const touch = turns.call("bash", { command: "touch made" });
  model = await startModelServer({ scenario: { turns: [touch, turns.say("done")] } });
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    HARNESS_HOME: join(root, "home"),
    ...model.environment,
    HARNESS_MODEL: "scripted",
  };
  server = composeServer({ version: "test", cwd: join(root, "project"), env });
});
afterEach(async () => {
  await server.shutdown();
  await model.close();
  rmSync(root, { recursive: true, force: true });
});

class Person {
  readonly updates: SessionUpdate[] = [];
  private readonly card = Promise.withResolvers<Card>();
  private looks: (() => void)[] = [];
  client: Client | undefined;

  static async named(name: string): Promise<Person & { client: Client }> {
    const person = new Person();
    const [near, far] = linkedPair();
    server.accept(far, name, { onEnd: async () => undefined, onGone: () => undefined });
    const client = await openClient(near, {
      clientInfo: { name, version: "1" },
      onUpdate: (update) => {
        person.updates.push(update);
        for (const look of person.looks.splice(0)) look();
      },
      onPermission: ({ permission }, signal) =>
        new Promise<PermissionOutcome>((done) => {
          const answer = (optionId: string) => done({ outcome: "selected", optionId });
          person.card.resolve({ permission, withdrawn: signal, answer });
        }),
      onLost: () => undefined,
      onBug: (error, where) => {
        throw new Error(`${where}: ${String(error)}`);
      },
    });
    return Object.assign(person, { client });
  }

  asked(): Promise<Card> {
    return this.card.promise;
  }

  async until(matches: (update: SessionUpdate["update"]) => boolean): Promise<SessionUpdate> {
    for (;;) {
      const found = this.updates.find(({ update }) => matches(update));
      if (found) return found;
      await new Promise<void>((done) => this.looks.push(done));
    }
  }

  idle() {
    return this.until((update) => update.sessionUpdate === "state_update" && update.state === "idle");
  }
}

async function start() {
  const [ann, bob] = [await Person.named("ann"), await Person.named("bob")];
  const { session } = await ann.client.call("session/new", { cwd: join(root, "project") });
  const { sessionId } = session;
  await bob.client.call("session/resume", { sessionId });
  await ann.client.call("session/prompt", { sessionId, promptId: "p", prompt: say("go") });
  return { ann, bob, sessionId };
}

const made = () => existsSync(join(root, "project", "made"));
const aborted = (signal: AbortSignal) =>
  signal.aborted ? Promise.resolve() : new Promise<void>((done) => signal.addEventListener("abort", () => done()));

it("both get the card, the first answer counts, the other is withdrawn, and a late one is a conflict", async () => {
  const { ann, bob, sessionId } = await start();
  const [anns, bobs] = await Promise.all([ann.asked(), bob.asked()]);
  const { permissionId } = anns.permission;
  expect(bobs.permission).toEqual(anns.permission);
  bobs.answer("reject_once");
  await aborted(anns.withdrawn);
  anns.answer("allow_once");
  const { update } = await ann.until(({ sessionUpdate }) => sessionUpdate === "permission_resolved");
  expect(update).toMatchObject({ permissionId, outcome: { outcome: "selected", optionId: "reject_once" }, by: "bob" });
  const outcome = { outcome: "selected", optionId: "allow_once" } as const;
  const late = ann.client.call("permission/reply", { sessionId, permissionId, outcome });
  await expect(late).rejects.toMatchObject({ kind: "conflict" });
  await ann.idle();
  expect(made()).toBe(false);
  expect((await ann.client.call("permission/list", { sessionId })).pending).toEqual([]);
});

it("two answers at once: exactly one decides", async () => {
  const { ann, bob, sessionId } = await start();
  const [anns, bobs] = await Promise.all([ann.asked(), bob.asked()]);
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

it("a card of before a change of mode answers nothing", async () => {
  const { ann, bob, sessionId } = await start();
  const [anns] = await Promise.all([ann.asked(), bob.asked()]);
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
