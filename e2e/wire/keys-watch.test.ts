// The user's keys, edited by hand while a window is open.
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type HarnessClient, openClient } from "@harness/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LiveServer } from "../support/live-server.ts";

let live: LiveServer;
let client: HarnessClient;
let told = 0;
let heard = Promise.withResolvers<void>();

const path = () => join(live.home, "keys.json");
async function change(act: () => void): Promise<void> {
  heard = Promise.withResolvers<void>();
  act();
  await heard.promise;
}

beforeEach(async () => {
  live = await LiveServer.start({ turns: [] });
  mkdirSync(live.cwd, { recursive: true });
  told = 0;
  client = await openClient(live.spawn().channel, {
    clientInfo: { name: "test", version: "1" },
    notices: {
      "keys/changed": () => {
        told += 1;
        heard.resolve();
      },
    },
    onUpdate: () => undefined,
    onPermission: () => new Promise(() => undefined),
    onLost: () => undefined,
    onBug: (error) => {
      throw error;
    },
  });
});
afterEach(() => live.close());

describe("keys.json", () => {
  it("is announced when it is made, replaced, broken, corrected and removed; while it is broken the last keys hold", async () => {
    expect(await client.call("keys/get", {})).toEqual({ path: path(), keys: {}, problems: [] });
    mkdirSync(live.home, { recursive: true });
    await change(() => writeFileSync(path(), '{ "chat.agents": "f2" }'));
    expect(await client.call("keys/get", {})).toMatchObject({ keys: { "chat.agents": ["f2"] }, problems: [] });
    writeFileSync(`${path()}.new`, '{ "chat.agents": "f3" }');
    await change(() => renameSync(`${path()}.new`, path()));
    expect(await client.call("keys/get", {})).toMatchObject({ keys: { "chat.agents": ["f3"] }, problems: [] });
    await change(() => writeFileSync(path(), '{ "chat.agents": '));
    expect(await client.call("keys/get", {})).toMatchObject({
      keys: { "chat.agents": ["f3"] },
      problems: [expect.stringContaining("its previous keys stay in effect")],
    });
    await change(() => writeFileSync(path(), '{ "chat.agents": null }'));
    expect(await client.call("keys/get", {})).toMatchObject({ keys: { "chat.agents": [] }, problems: [] });
    await change(() => rmSync(path()));
    expect(await client.call("keys/get", {})).toMatchObject({ keys: {}, problems: [] });
  });

  it("is announced once when a window writes it", async () => {
    await client.call("keys/get", {});
    await change(() => void client.call("keys/set", { action: "chat.agents", keys: ["f2"] }));
    // A report by the watch would come before the one for another change.
    await change(() => writeFileSync(path(), "{}"));
    expect(told).toBe(2);
  });
});
