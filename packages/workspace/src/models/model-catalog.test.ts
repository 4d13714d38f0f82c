import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileStamps } from "@harness/host";
import { addressVariables } from "@harness/protocol";
import type { Vendor } from "@harness/providers";
import { configPathsOf, KnownSecrets, openCapabilities, openCredentials, openSpendLedger } from "@harness/storage";
import { startModelServer, turns } from "@harness/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ProviderCredentials } from "../credentials/provider-credentials.ts";
import { EgressGuard } from "../egress/egress-guard.ts";
import { SettingsStore } from "../settings/settings-store.ts";
import { nodeClock as clock } from "../system/node-clock.ts";
import { ModelCatalog } from "./model-catalog.ts";
import { LocalModelFiles } from "./model-files.ts";
import { ModelSources } from "./model-sources.ts";
import { SpendRecorder } from "./spend-recorder.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "model-catalog-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const egress = new EgressGuard({ clock, localOnly: () => false, lookup: undefined });

/** Addresses without a server. */
const noServers = { OLLAMA_HOST: ":1", LLAMACPP_URL: ":1", VLLM_URL: ":1", LMSTUDIO_URL: ":1" };

/** The rooms as they are composed, in an empty home; `vendors` may be broken. */
function open(vendors?: () => Promise<Vendor[]>, env: Record<string, string> = {}, envProblems: string[] = []) {
  const configPaths = configPathsOf({ HARNESS_HOME: home }, home);
  const settings = new SettingsStore({
    configPaths,
    cwd: home,
    environment: { inspect: () => ({ env, problems: [] }), files: () => [] },
    stamps: new FileStamps(),
    isTrusted: () => false,
  });
  const capabilities = openCapabilities(configPaths);
  const elsewhere = openCredentials(configPaths, { clock, keyring: () => "off" });
  const sources: ModelSources = new ModelSources({
    folders: { root: configPaths.root, home, cwd: home },
    env: {
      real: env,
      of: (_folder, more) => ({ env: { ...env, ...more }, problems: [...envProblems] }),
      addresses: () => addressVariables(settings.live(home).values),
    },
    credentials: () => credentials,
    capabilities,
    onWaiting: () => undefined,
    clock,
    safety: { trust: { isTrusted: () => false, grantedTo: () => [], providerStanding: () => "" }, egress },
  });
  const credentials = new ProviderCredentials({
    stored: { credentials: openCredentials(configPaths, { clock, keyring: () => "off" }), secrets: new KnownSecrets() },
    env: { real: env, withFiles: () => ({ env, from: "" }) },
    vendors: vendors ?? (() => sources.addressedVendors()),
    clock,
    egress: egress.at(home),
    onChange: () => models.forget(),
    report: () => undefined,
  });
  const files = new LocalModelFiles({ root: configPaths.root, home });
  const spend = new SpendRecorder({ ledger: openSpendLedger(configPaths), clock, report: () => undefined });
  const models = new ModelCatalog(
    {
      settings,
      sources,
      files,
      capabilities,
      spend,
      clock,
      harness: { home, version: "1" },
    },
    async () => undefined,
  );
  return { models, credentials, elsewhere, spend, configPaths };
}

const config = { provider: "openai", model: "m" };

it("the catalog chooses a model again when another process has changed a key, but not when it has renewed a login", async () => {
  const { models, elsewhere } = open();
  expect(await models.choose(home, config)).toMatchObject({ problem: expect.stringContaining("needs an API key") });
  await elsewhere.set("openai", { type: "apiKey", key: "first-key-0123456789", host: "api.openai.com" });
  const first = await models.choose(home, config);
  expect(first).toMatchObject({ model: "m" });
  await elsewhere.set("chatgpt", { type: "oauth", accessToken: "one" });
  const second = await models.choose(home, config);
  await elsewhere.set("chatgpt", { type: "oauth", accessToken: "two" });
  expect(await models.choose(home, config)).toBe(second);
  await elsewhere.set("openai", { type: "apiKey", key: "second-key-0123456789", host: "api.openai.com" });
  expect(await models.choose(home, config)).not.toBe(second);
});

it("the catalog says why a stored key cannot be used, whichever model was requested", async () => {
  const { models, elsewhere } = open();
  await elsewhere.set("openai", { type: "apiKey", key: "first-key-0123456789", host: "elsewhere.example" });
  const problem = "belongs to elsewhere.example and is not sent to api.openai.com";
  for (const asked of [config, { provider: "groq", model: "m" }]) {
    expect(await models.choose(home, asked)).toMatchObject({ problem: expect.stringContaining(problem) });
  }
});

it("the catalog keeps no choice that failed for an internal reason", async () => {
  let isBroken = true;
  const { vendors } = await import("@harness/providers");
  const { models, elsewhere } = open(async () => {
    if (isBroken) throw new Error("EACCES");
    return [...vendors];
  });
  await elsewhere.set("openai", { type: "apiKey", key: "first-key-0123456789" });
  await expect(models.choose(home, config)).rejects.toThrow("EACCES");
  isBroken = false;
  expect(await models.choose(home, config)).toMatchObject({ model: "m" });
});

it("the catalog names the file that configures a provider", async () => {
  const { models, configPaths } = open();
  mkdirSync(configPaths.root, { recursive: true });
  writeFileSync(configPaths.settings, JSON.stringify({ provider: "nosuch" }));
  const sentence = expect.stringMatching(/^There is no provider "nosuch" \(from ~\/.*settings\.json\)\. There are:/);
  expect(await models.choose(home, {})).toMatchObject({ sentence });
  expect(await models.choose(home, { provider: "nosuch" })).toMatchObject({
    sentence: expect.stringMatching(/^There is no provider "nosuch"\. There are:/),
  });
});

it("the catalog reports errors in files of providers, variables and capabilities", async () => {
  const { models, configPaths } = open(undefined, noServers, ["/project/.env: OPENAI_BASE_URL was not used."]);
  mkdirSync(join(configPaths.root, "providers"), { recursive: true });
  writeFileSync(join(configPaths.root, "providers", "bad.conf"), "protocol=soap\n");
  writeFileSync(join(configPaths.root, "cards.json"), "{");
  expect((await models.providers(home)).problems).toEqual([
    expect.stringContaining("bad.conf: protocol must be one of"),
    "/project/.env: OPENAI_BASE_URL was not used.",
    expect.stringMatching(/cards\.json is not valid JSON/),
  ]);
});

it("the catalog counts the doctor's requests, without a session", async () => {
  const server = await startModelServer({
    flavour: "vllm",
    scenario: { models: [{ id: "m" }], turns: [turns.say("Ready", { repeat: "always" })] },
  });
  const { models, spend } = open(undefined, { ...noServers, VLLM_URL: server.url });
  const watch = { signal: new AbortController().signal, onProbe: () => undefined };
  await models.examine({ provider: "vllm" }, home, watch);
  const { today, byModel } = spend.of();
  expect(today.requests).toBe(server.chatRequests.length);
  expect(today.usage.inputTokens).toBeGreaterThan(0);
  expect(byModel).toMatchObject([{ provider: "vllm", model: "m", cost: { usd: 0, unpricedRequests: 0 } }]);
  await server.close();
});

it("the catalog uses the server at --url, whichever kind it is, and none of the settings' model there", async () => {
  const server = await startModelServer({ flavour: "vllm", scenario: { models: [{ id: "theirs" }], turns: [] } });
  const { models, configPaths } = open(undefined, { ...noServers, HARNESS_URL: server.url });
  mkdirSync(configPaths.root, { recursive: true });
  writeFileSync(configPaths.settings, JSON.stringify({ provider: "openai", model: "ours" }));
  expect(await models.choose(home, {})).toMatchObject({ model: "theirs", vendor: { id: "vllm" } });
  expect((await models.providers(home)).selected).toEqual({ provider: "vllm", model: "theirs" });
  const named = open(undefined, { ...noServers, HARNESS_URL: server.url, HARNESS_PROVIDER: "lmstudio" });
  expect(await named.models.choose(home, {})).toMatchObject({ model: "theirs", vendor: { id: "lmstudio" } });
  await server.close();
});

it("the catalog says where it looked when nothing answers at --url", async () => {
  const { models } = open(undefined, { ...noServers, HARNESS_URL: "http://127.0.0.1:1" });
  expect(await models.choose(home, {})).toMatchObject({
    problem: expect.stringMatching(/http:\/\/127\.0\.0\.1:1\/v1 refuses .* Check the address in -u or HARNESS_URL, or/),
  });
});

it("a saved key is sent only to the address that it was saved at", async () => {
  const { models, credentials, configPaths } = open();
  await credentials.setKey("openai", "first-key-0123456789");
  expect(await models.choose(home, config)).toMatchObject({ model: "m" });
  writeFileSync(configPaths.settings, JSON.stringify({ openai_base_url: "https://models.example/v1" }));
  await new Promise((done) => setImmediate(done));
  expect(await models.choose(home, config)).toMatchObject({
    problem: expect.stringContaining("belongs to api.openai.com and is not sent to models.example"),
  });
  await credentials.setKey("openai", "second-key-0123456789");
  expect(await models.choose(home, config)).toMatchObject({ vendor: { address: "https://models.example/v1" } });
});
