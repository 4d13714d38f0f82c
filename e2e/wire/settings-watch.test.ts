// Settings that others change while sessions are open: with an editor, or from another process.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type HarnessClient, openClient } from "@harness/client";
import type { Hud } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
let client: HarnessClient;
let sessionId: string;
let told = 0;
let hud: Hud | undefined;
const waiting: (() => void)[] = [];

const happened = (): void => {
  for (const look of waiting.splice(0)) look();
};
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise<void>((done) => waiting.push(done));
}

beforeAll(async () => {
  live = await LiveServer.start({
    turns: [turns.call("write", { file_path: "new.txt", content: "x" }), turns.say("end")],
  });
  for (const folder of [live.cwd, live.home]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(live.home, "settings.json"), JSON.stringify({ effort: "low" }));
  client = await openClient(live.spawn().channel, {
    clientInfo: { name: "test", version: "1" },
    notices: {
      "settings/changed": () => {
        told += 1;
        happened();
      },
      "hud/update": (update) => {
        hud = update.hud;
        happened();
      },
    },
    onUpdate: (update) => {
      live.updates.push(update);
      happened();
    },
    // Nobody answers: a request is open until it is withdrawn.
    onPermission: (_, signal) =>
      new Promise((_done, fail) => signal.addEventListener("abort", () => fail(signal.reason))),
    onLost: () => undefined,
    onBug: (error) => {
      throw error;
    },
  });
  sessionId = (await client.call("session/new", { cwd: live.cwd })).session.sessionId;
});
afterAll(() => live.close());
beforeEach(() => {
  told = 0;
});

/**
 * Replaces the file: a reader between the two steps of a write would see an empty one, which says that nothing is set.
 */
function put(path: string, content: unknown): void {
  writeFileSync(`${path}.new`, typeof content === "string" ? content : JSON.stringify(content));
  renameSync(`${path}.new`, path);
}
const own = () => join(live.home, "settings.json");
async function setting(key: string) {
  const { settings, problems } = await client.call("settings/get", { cwd: live.cwd });
  const { value, source } = settings.find((each) => each.key === key) ?? {};
  return { value, source, problems };
}

describe("settings that are changed outside of this server", () => {
  it("are announced when the file is written, or replaced by another", async () => {
    writeFileSync(own(), JSON.stringify({ effort: "high" }));
    await until(() => told > 0);
    expect(await setting("effort")).toMatchObject({ value: "high", source: "user" });
    told = 0;
    put(own(), { effort: "medium" });
    await until(() => told > 0);
    expect(await setting("effort")).toMatchObject({ value: "medium" });
  });

  it("keep what the file said before while it is broken, and say what is wrong", async () => {
    put(own(), '{ "effort": "low",');
    await until(() => told > 0);
    expect(await setting("effort")).toEqual({
      value: "medium",
      source: "user",
      problems: [expect.stringMatching(/settings\.json is not valid JSON .* its previous settings stay in effect\./)],
    });
    told = 0;
    put(own(), { effort: "low" });
    await until(() => told > 0);
    expect(await setting("effort")).toEqual({ value: "low", source: "user", problems: [] });
  });

  it("follow a .env file, and a project's file in a folder that is made later", async () => {
    put(join(live.home, ".env"), "HARNESS_THEME=nord\n");
    await until(() => told > 0);
    expect(await setting("theme")).toMatchObject({ value: "nord", source: "env" });
    mkdirSync(join(live.cwd, ".harness"));
    put(join(live.cwd, ".harness/settings.json"), { local_only: true });
    await until(() => hud?.localOnly === true);
    expect(await setting("local_only")).toMatchObject({ value: true, source: "project" });
  });

  it("decide a permission request that is open", async () => {
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("write it") });
    await until(() => live.updates.some(({ update }) => update.sessionUpdate === "permission_requested"));
    put(own(), { permission_mode: "deny" });
    const outcome = () =>
      live.updates.flatMap(({ update }) =>
        update.sessionUpdate === "tool_call_update" && "outcome" in update ? [update.outcome] : [],
      )[0];
    await until(() => outcome() !== undefined);
    expect(outcome()).toMatchObject({ status: "denied" });
  });

  it("are not announced twice when this server writes them", async () => {
    await until(() =>
      live.updates.some(({ update }) => update.sessionUpdate === "state_update" && update.state === "idle"),
    );
    told = 0;
    await client.call("settings/set", { edits: [{ key: "effort", value: "max" }] });
    // A report by the watch would come before the answer to a question after another change.
    put(join(live.home, ".env"), "HARNESS_THEME=dracula\n");
    await until(() => told >= 2);
    expect([told, (await setting("theme")).value]).toEqual([2, "dracula"]);
  });
});
