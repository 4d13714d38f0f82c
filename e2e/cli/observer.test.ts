import { type HarnessClient, openLinkedClient } from "@harness/client";
import type { Permission, SessionUpdate } from "@harness/protocol";
import { composeServer, type HarnessServer } from "@harness/server";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestHome } from "../../packages/cli/test/harness-process.ts";

let model: ModelServer;
let place: TestHome;
let server: HarnessServer;

beforeAll(async () => {
  const touch = turns.call("bash", { command: "bash -c 'echo touched'" });
  model = await startModelServer({
    scenario: { name: "watched", turns: [touch, turns.say("Done."), turns.say("Again.")] },
  });
  place = new TestHome(model.environment);
  server = composeServer({ version: "test", cwd: place.cwd, env: place.env });
});
afterAll(async () => {
  await server?.shutdown();
  await model?.close();
  place?.remove();
});

type Watching = { client: HarnessClient; updates: SessionUpdate[]; idle(): Promise<void>; asked: Promise<Permission> };

async function join(role: "controller" | "observer"): Promise<Watching> {
  const updates: SessionUpdate[] = [];
  const asked = Promise.withResolvers<Permission>();
  let settle: () => void = () => undefined;
  let idles = 0;
  const client = await openLinkedClient(server, role, {
    clientInfo: { name: role, version: "1" },
    role,
    onUpdate: (update) => {
      updates.push(update);
      if (update.update.sessionUpdate !== "state_update" || update.update.state !== "idle") return;
      idles += 1;
      settle();
    },
    onPermission: async ({ permission }) => {
      asked.resolve(permission);
      return {
        outcome: "selected",
        optionId: permission.options.find(({ kind }) => kind === "allow_once")?.optionId ?? "",
      };
    },
    onLost: () => undefined,
    onBug: (error) => expect.unreachable(String(error)),
  });
  const idle = async () => {
    const before = idles;
    if (before === 0)
      await new Promise<void>((done) => {
        settle = done;
      });
    idles -= 1;
  };
  return { client, updates, idle, asked: asked.promise };
}

/** The agent's last text. */
function said({ updates }: Watching) {
  return updates.findLast(({ update }) => update.sessionUpdate === "agent_message")?.update;
}

describe("an observer", () => {
  it("sees the actions of a controller, and can do nothing itself", async () => {
    const [controller, observer] = await Promise.all([join("controller"), join("observer")]);
    const { session } = await controller.client.call("session/new", { cwd: place.cwd });
    const { sessionId } = session;
    await observer.client.call("session/resume", { sessionId });
    await controller.client.call("session/prompt", {
      sessionId,
      promptId: "p",
      prompt: [{ type: "text", text: "go" }],
    });
    await Promise.all([controller.idle(), observer.idle()]);
    // It was not asked: only the controller answered.
    expect(await controller.asked).toMatchObject({ tool: "bash" });
    expect(observer.updates.filter(({ seq }) => seq)).toEqual(controller.updates.filter(({ seq }) => seq));
    expect(said(observer)).toMatchObject({ parts: [{ text: "Done." }] });

    const { call } = observer.client;
    const refused = { kind: "permission_denied", message: expect.stringContaining("An observer may not call") };
    const prompt = [{ type: "text" as const, text: "me too" }];
    await expect(call("session/prompt", { sessionId, promptId: "q", prompt })).rejects.toMatchObject(refused);
    await expect(call("session/new", { cwd: place.cwd })).rejects.toMatchObject(refused);
    await expect(call("session/cancel", { sessionId })).rejects.toMatchObject(refused);
    await expect(call("shutdown", {})).rejects.toMatchObject(refused);
    expect((await call("session/list", { cwd: place.cwd })).sessions).toMatchObject([{ sessionId, title: "go" }]);

    // It leaves, and the others continue.
    await observer.client.close();
    await controller.client.call("session/prompt", { sessionId, promptId: "r", prompt });
    await controller.idle();
    expect(said(controller)).toMatchObject({ parts: [{ text: "Again." }] });
    controller.client.destroy();
  });
});
