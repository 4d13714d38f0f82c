import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Vendor } from "@harness/providers";
import { KnownSecrets, openCards, openCredentials, openSpendLedger, placesOf } from "@harness/storage";
import { startModelServer, turns } from "@harness/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ProviderCredentials } from "../credentials/provider-credentials.ts";
import { EgressGuard } from "../egress/egress-guard.ts";
import { HudPublisher } from "../hud/hud-publisher.ts";
import { SettingsStore } from "../settings/settings-store.ts";
import { nodeClock as clock } from "../system/node-clock.ts";
import { ModelCatalog } from "./model-catalog.ts";
import { ModelFiles } from "./model-files.ts";
import { ModelSources } from "./model-sources.ts";
import { SpendDesk } from "./spend-desk.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "model-catalog-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const egress = new EgressGuard({ clock, localOnly: () => false });

/** Addresses at which nobody listens. */
const nobody = { OLLAMA_HOST: ":1", LLAMACPP_URL: ":1", VLLM_URL: ":1", LMSTUDIO_URL: ":1" };

/** The rooms as they are composed, in an empty home; `vendors` may be broken. */
function open(vendors?: () => Promise<Vendor[]>, env: Record<string, string> = {}, envProblems: string[] = []) {
  const places = placesOf({ HARNESS_HOME: home }, home);
  const settings = new SettingsStore(places, () => ({ env, problems: [] }), home);
  const cards = openCards(places);
  const elsewhere = openCredentials(places, { clock, keyring: () => "off" });
  const sources: ModelSources = new ModelSources({
    root: places.root,
    home,
    env,
    cwd: home,
    trust: { isTrusted: () => false, trustedHash: () => "" },
    envFor: (_folder, more) => ({ env: { ...env, ...more }, problems: [...envProblems] }),
    credentials: () => credentials,
    cards,
    clock,
    egress,
  });
  const credentials = new ProviderCredentials({
    credentials: openCredentials(places, { clock, keyring: () => "off" }),
    env,
    fileEnv: () => ({ env, from: "" }),
    vendors: vendors ?? (() => sources.vendors()),
    secrets: new KnownSecrets(),
    clock,
    egress: egress.at(home),
    onChange: () => desk.forget(),
    report: () => undefined,
  });
  const files = new ModelFiles({ root: places.root, home });
  const spend = new SpendDesk({ ledger: openSpendLedger(places), clock, report: () => undefined });
  const desk = new ModelCatalog({ settings, sources, files, cards, spend, home, version: "1", clock });
  return { desk, elsewhere, spend, places };
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

it("names the file that a provider was set in, and shows a new session what it would be given", async () => {
  const { desk, places } = open();
  mkdirSync(places.root, { recursive: true });
  writeFileSync(places.settings, JSON.stringify({ provider: "nosuch" }));
  const sentence = expect.stringMatching(/^There is no provider "nosuch" \(from ~\/.*settings\.json\)\. There are:/);
  expect(await desk.choose(home, {})).toMatchObject({ sentence });
  expect(await desk.choose(home, { provider: "nosuch" })).toMatchObject({
    sentence: expect.stringMatching(/^There is no provider "nosuch"\. There are:/),
  });
  const hud = new HudPublisher(desk, egress);
  const settings = { permission_mode: "deny", preferred_mode: "planning" } as const;
  expect(await hud.preview(home, settings)).toMatchObject({
    problem: sentence,
    permissionMode: "deny",
    mode: "planning",
  });
  expect(await hud.preview(home, settings, { permissionMode: "auto", mode: "casual" })).toMatchObject({
    permissionMode: "auto",
    mode: "casual",
  });
  expect(await hud.preview(home, settings, { provider: "openai" })).toMatchObject({
    problem: expect.stringMatching(/^OpenAI needs an API key\./),
  });
});

it("tells what is wrong with files of providers and variables", async () => {
  const { desk, places } = open(undefined, nobody, ["/project/.env: OPENAI_BASE_URL was not used."]);
  mkdirSync(join(places.root, "providers"), { recursive: true });
  writeFileSync(join(places.root, "providers", "bad.conf"), "protocol=soap\n");
  expect((await desk.providers(home)).problems).toEqual([
    expect.stringContaining("bad.conf: protocol must be one of"),
    "/project/.env: OPENAI_BASE_URL was not used.",
  ]);
});

it("counts what the doctor asks, in no session", async () => {
  const server = await startModelServer({
    flavour: "vllm",
    scenario: { models: [{ id: "m" }], turns: [turns.say("Ready", { repeat: "always" })] },
  });
  const { desk, spend } = open(undefined, { ...nobody, VLLM_URL: server.url });
  const watch = { signal: new AbortController().signal, onProbe: () => undefined };
  await desk.examine({ provider: "vllm" }, home, watch);
  const { today, byModel } = spend.of();
  expect(today.requests).toBe(server.chatRequests.length);
  expect(today.usage.inputTokens).toBeGreaterThan(0);
  expect(byModel).toMatchObject([{ provider: "vllm", model: "m", cost: { usd: 0, unpricedRequests: 0 } }]);
  await server.close();
});
