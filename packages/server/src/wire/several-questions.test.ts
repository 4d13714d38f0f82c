// Two subagents and the main agent ask at once; two people answer, each what they like.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, linkedPair, openClient } from "@harness/client";
import type { Permission, PermissionOutcome, SessionUpdate, UpdateOf } from "@harness/protocol";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { composeServer } from "../compose.ts";
import type { HarnessServer } from "../harness-server.ts";
import { say } from "./live-server.fixture.ts";

let root: string;
let model: ModelServer;
let server: HarnessServer;

const put = (file_path: string) => turns.call("write", { file_path, content: "x" });
const lane = (name: string, file: string) => ({
  match: `task ${name}`,
  turns: [put(file), turns.say(`${name} is done`)],
});

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "harness-several-")));
  mkdirSync(join(root, "project"));
  const both = turns.calls([
    ["start_subagent", { task: "task one" }],
    ["start_subagent", { task: "task two" }],
    ["write", { file_path: "lib/main", content: "x" }],
  ]);
  const end = { ...turns.say("all done"), repeat: "always" as const };
  const lanes = [lane("one", "src/one"), lane("two", "src/two"), { match: "go", turns: [both, end] }];
  model = await startModelServer({ scenario: { lanes } });
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

type Card = { permission: Permission; withdrawn: AbortSignal; answer(optionId: string): void };

/** Somebody before whom all cards lie. */
class Person {
  readonly updates: SessionUpdate[] = [];
  readonly #cards: Card[] = [];
  #looks: (() => void)[] = [];

  static async named(name: string): Promise<{ person: Person; client: Client }> {
    const person = new Person();
    const [near, far] = linkedPair();
    server.accept(far, name, { onEnd: async () => undefined, onGone: () => undefined });
    const client = await openClient(near, {
      clientInfo: { name, version: "1" },
      onUpdate: (update) => person.#take(() => person.updates.push(update)),
      onPermission: ({ permission }, withdrawn) =>
        new Promise<PermissionOutcome>((done) => {
          const answer = (optionId: string) => done({ outcome: "selected", optionId });
          person.#take(() => person.#cards.push({ permission, withdrawn, answer }));
        }),
      onLost: () => undefined,
      onBug: (error, where) => {
        throw new Error(`${where}: ${String(error)}`);
      },
    });
    return { person, client };
  }

  /** The card about a file. */
  card(file: string): Promise<Card> {
    return this.#until(() => this.#cards.find(({ permission }) => permission.title.endsWith(file)));
  }

  resolved({ permission }: Card): Promise<UpdateOf<"permission_resolved">> {
    return this.#until(() =>
      this.updates
        .map(({ update }) => update)
        .filter((update) => update.sessionUpdate === "permission_resolved")
        .find(({ permissionId }) => permissionId === permission.permissionId),
    );
  }

  idle(): Promise<SessionUpdate> {
    return this.#until(() =>
      this.updates.find(
        ({ agentId, update }) =>
          agentId === "main" && update.sessionUpdate === "state_update" && update.state === "idle",
      ),
    );
  }

  #take(add: () => void): void {
    add();
    for (const look of this.#looks.splice(0)) look();
  }

  async #until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await new Promise<void>((done) => this.#looks.push(done));
    }
  }
}

async function start() {
  const [ann, bob] = [await Person.named("ann"), await Person.named("bob")];
  const { session } = await ann.client.call("session/new", { cwd: join(root, "project") });
  const { sessionId } = session;
  await bob.client.call("session/resume", { sessionId });
  await ann.client.call("session/prompt", { sessionId, promptId: "p", prompt: say("go") });
  const files = ["src/one", "src/two", "lib/main"];
  const cards = await Promise.all(files.map((file) => ann.person.card(file)));
  await Promise.all(files.map((file) => bob.person.card(file)));
  const pending = async () =>
    (await ann.client.call("permission/list", { sessionId })).pending.map(({ permission }) => permission);
  return { ann: ann.person, bob: bob.person, client: ann.client, sessionId, cards, pending };
}

const there = (file: string) => existsSync(join(root, "project", file));
const titles = (permissions: readonly Permission[]) => permissions.map(({ title }) => title.split(" ").at(-1)).sort();

it("all are listed with who asks, and an answer for the session withdraws what it covers", async () => {
  const { ann, bob, cards, pending } = await start();
  const listed = await pending();
  expect(titles(listed)).toEqual(["lib/main", "src/one", "src/two"]);
  expect(new Set(listed.map(({ agentId }) => agentId)).size).toBe(3);
  const [one, two, main] = cards;
  if (!one || !two || !main) throw new Error("no cards");
  (await bob.card("src/two")).answer("allow_session");
  expect(await ann.resolved(one)).toMatchObject({ outcome: { outcome: "cancelled" }, by: "harness" });
  expect(await ann.resolved(two)).toMatchObject({ outcome: { optionId: "allow_session" }, by: "bob" });
  expect([one.withdrawn.aborted, two.withdrawn.aborted, main.withdrawn.aborted]).toEqual([true, true, false]);
  expect(titles(await pending())).toEqual(["lib/main"]);
  main.answer("reject_once");
  await ann.idle();
  expect(["src/one", "src/two", "lib/main"].map(there)).toEqual([true, true, false]);
  expect(await pending()).toEqual([]);
});

it("each is answered by somebody else, in any order", async () => {
  const { ann, bob, cards, client, sessionId, pending } = await start();
  const [one, two, main] = cards;
  if (!one || !two || !main) throw new Error("no cards");
  main.answer("allow_once");
  (await bob.card("src/one")).answer("reject_once");
  const { permissionId } = two.permission;
  const outcome = { outcome: "selected", optionId: "allow_once" } as const;
  await client.call("permission/reply", { sessionId, permissionId, outcome });
  const ends = await Promise.all([one, two, main].map((card) => bob.resolved(card)));
  expect(ends.map(({ by }) => by)).toEqual(["bob", "ann", "ann"]);
  await ann.idle();
  expect(["src/one", "src/two", "lib/main"].map(there)).toEqual([false, true, true]);
  expect(await pending()).toEqual([]);
});

it("a rule that is added withdraws what it covers", async () => {
  const { ann, cards, client, pending } = await start();
  const [one, two, main] = cards;
  if (!one || !two || !main) throw new Error("no cards");
  const rule = { cwd: join(root, "project"), scope: "project", decision: "deny", rule: "write(src/**)" } as const;
  await client.call("permissions/add", rule);
  for (const card of [one, two])
    expect(await ann.resolved(card)).toMatchObject({ outcome: { outcome: "cancelled" }, by: "harness" });
  expect(titles(await pending())).toEqual(["lib/main"]);
  await client.call("settings/set", { edits: [{ key: "denied_command_prefixes", value: ["touch"] }] });
  expect(titles(await pending())).toEqual(["lib/main"]);
  main.answer("allow_once");
  await ann.idle();
  expect(["src/one", "src/two", "lib/main"].map(there)).toEqual([false, false, true]);
});
