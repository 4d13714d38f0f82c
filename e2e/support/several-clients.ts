import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HarnessClient, openLinkedClient } from "@harness/client";
import type { Permission, PermissionOutcome, SessionUpdate, UpdateOf } from "@harness/protocol";
import { composeServer, type HarnessServer } from "@harness/server";
import { type ScenarioInput, startModelServer } from "@harness/testkit";
import { say } from "./live-server.ts";

/** A whole server with a scripted model and a project folder, for any number of clients. */
export type TestServer = { server: HarnessServer; project: string; close(): Promise<void> };

export async function openTestServer(scenario: ScenarioInput): Promise<TestServer> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "harness-people-")));
  const project = join(root, "project");
  mkdirSync(project);
  const model = await startModelServer({ scenario });
  const { PATH } = process.env;
  const env = { PATH, HOME: root, HARNESS_HOME: join(root, "home"), ...model.environment, HARNESS_MODEL: "scripted" };
  const server = composeServer({ version: "test", cwd: project, env });
  const close = async () => {
    await server.shutdown();
    await model.close();
    rmSync(root, { recursive: true, force: true });
  };
  return { server, project, close };
}

/** A permission request that a client has received and answers when a test wants it. */
export type OpenPermission = { permission: Permission; withdrawn: AbortSignal; answer(optionId: string): void };

/** A client that receives all permission requests of a session. */
export class TestClient {
  readonly updates: SessionUpdate[] = [];
  readonly client: HarnessClient;
  readonly #requests: OpenPermission[];
  readonly #looks: (() => void)[];

  private constructor(
    client: HarnessClient,
    updates: SessionUpdate[],
    requests: OpenPermission[],
    looks: (() => void)[],
  ) {
    this.client = client;
    this.updates = updates;
    this.#requests = requests;
    this.#looks = looks;
  }

  static async named(name: string, server: HarnessServer): Promise<TestClient> {
    const updates: SessionUpdate[] = [];
    const requests: OpenPermission[] = [];
    const looks: (() => void)[] = [];
    const look = () => {
      for (const each of looks.splice(0)) each();
    };
    const client = await openLinkedClient(server, name, {
      clientInfo: { name, version: "1" },
      onUpdate: (update) => {
        updates.push(update);
        look();
      },
      onPermission: ({ permission }, withdrawn) =>
        new Promise<PermissionOutcome>((done) => {
          const answer = (optionId: string) => done({ outcome: "selected", optionId });
          requests.push({ permission, withdrawn, answer });
          look();
        }),
      onLost: () => undefined,
      onBug: (error, where) => {
        throw new Error(`${where}: ${String(error)}`);
      },
    });
    return new TestClient(client, updates, requests, looks);
  }

  /** The permission request whose title ends with this text. */
  request(end: string): Promise<OpenPermission> {
    return this.#until(() => this.#requests.find(({ permission }) => permission.title.endsWith(end)));
  }

  resolved({ permission }: OpenPermission): Promise<UpdateOf<"permission_resolved">> {
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

  async #until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await new Promise<void>((done) => this.#looks.push(done));
    }
  }
}

/** Ann starts a session and sends a message; Bob attaches and may answer as well. */
export async function annAndBob({
  server,
  project,
}: TestServer): Promise<{ ann: TestClient; bob: TestClient; sessionId: string }> {
  const [ann, bob] = [await TestClient.named("ann", server), await TestClient.named("bob", server)];
  const { session } = await ann.client.call("session/new", { cwd: project });
  const { sessionId } = session;
  await bob.client.call("session/resume", { sessionId });
  await ann.client.call("session/prompt", { sessionId, promptId: "p", prompt: say("go") });
  return { ann, bob, sessionId };
}
