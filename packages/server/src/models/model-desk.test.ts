import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Vendor } from "@harness/providers";
import { KnownSecrets, openCards, openCredentials, placesOf } from "@harness/storage";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CredentialDesk } from "../credentials/credential-desk.ts";
import { SettingsDesk } from "../settings-desk.ts";
import { nodeClock as clock } from "../system/node-clock.ts";
import { ModelDesk } from "./model-desk.ts";
import { ModelFiles } from "./model-files.ts";
import { ModelSources } from "./model-sources.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "model-desk-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** The rooms as they are composed, in an empty home; `vendors` may be broken. */
function open(vendors?: () => Promise<Vendor[]>) {
  const env = {};
  const places = placesOf({ HARNESS_HOME: home }, home);
  const settings = new SettingsDesk(places, () => ({ env, problems: [] }), home);
  const cards = openCards(places, { clock });
  const elsewhere = openCredentials(places, { clock, keyring: () => "off" });
  const sources: ModelSources = new ModelSources({
    root: places.root,
    home,
    env,
    envFor: (_folder, more) => ({ ...more }),
    credentials: () => credentials,
    cards,
    clock,
  });
  const credentials = new CredentialDesk({
    credentials: openCredentials(places, { clock, keyring: () => "off" }),
    env,
    fileEnv: () => ({ env, from: "" }),
    vendors: vendors ?? (() => sources.vendors()),
    secrets: new KnownSecrets(),
    clock,
    onChange: () => desk.forget(),
    report: () => undefined,
  });
  const files = new ModelFiles({ root: places.root, home });
  const desk = new ModelDesk({ settings, sources, files, cards, version: "1", clock });
  return { desk, elsewhere };
}

const config = { provider: "openai", model: "m" };

it("chooses anew when another harness has changed a key, and not when it has renewed a login", async () => {
  const { desk, elsewhere } = open();
  expect(await desk.choose(home, config)).toMatchObject({ problem: expect.stringContaining("needs an API key") });
  await elsewhere.set("openai", { type: "apiKey", key: "first-key-0123456789", host: "api.openai.com" });
  const first = await desk.choose(home, config);
  expect(first).toMatchObject({ model: "m" });
  await elsewhere.set("chatgpt", { type: "oauth", accessToken: "one" });
  const second = await desk.choose(home, config);
  await elsewhere.set("chatgpt", { type: "oauth", accessToken: "two" });
  expect(await desk.choose(home, config)).toBe(second);
  await elsewhere.set("openai", { type: "apiKey", key: "second-key-0123456789", host: "api.openai.com" });
  expect(await desk.choose(home, config)).not.toBe(second);
});

it("says why a key that is kept is of no use, whoever was asked for", async () => {
  const { desk, elsewhere } = open();
  await elsewhere.set("openai", { type: "apiKey", key: "first-key-0123456789", host: "elsewhere.example" });
  const problem = "was given for elsewhere.example, and is not sent to api.openai.com";
  for (const asked of [config, { provider: "groq", model: "m" }]) {
    expect(await desk.choose(home, asked)).toMatchObject({ problem: expect.stringContaining(problem) });
  }
});

it("keeps no choice that failed for a reason of our own", async () => {
  let isBroken = true;
  const { vendors } = await import("@harness/providers");
  const { desk, elsewhere } = open(async () => {
    if (isBroken) throw new Error("EACCES");
    return [...vendors];
  });
  await elsewhere.set("openai", { type: "apiKey", key: "first-key-0123456789" });
  await expect(desk.choose(home, config)).rejects.toThrow("EACCES");
  isBroken = false;
  expect(await desk.choose(home, config)).toMatchObject({ model: "m" });
});
