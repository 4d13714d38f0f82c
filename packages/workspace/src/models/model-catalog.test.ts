import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Vendor } from "@harness/providers";
import { KnownSecrets, openCapabilities, openCredentials, openSpendLedger } from "@harness/storage";
import { startModelServer, turns } from "@harness/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bootstrap } from "../bootstrap.ts";
import { ProviderCredentials } from "../credentials/provider-credentials.ts";
import { openWorkspaces } from "../open-workspaces.ts";
import { nodeClock as clock } from "../system/node-clock.ts";
import { EmbedderCatalog } from "./embedder-catalog.ts";
import { ModelCatalog } from "./model-catalog.ts";
import { LocalModelFiles } from "./model-files.ts";
import { ModelSources } from "./model-sources.ts";
import { RerankerCatalog } from "./reranker-catalog.ts";
import { SpendRecorder } from "./spend-recorder.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "model-catalog-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Addresses without a server. */
const noServers = { OLLAMA_HOST: ":1", LLAMACPP_URL: ":1", VLLM_URL: ":1", LMSTUDIO_URL: ":1" };

const noEvents = {
  onRules: () => undefined,
  onTrusted: () => undefined,
  onMcp: () => undefined,
  onIndexing: () => undefined,
};

/** The catalog as composed in the server, in an empty home that is also the workspace; `vendors` may be broken. */
function open(vendors?: () => Promise<Vendor[]>, env: Record<string, string> = {}) {
  const base = bootstrap({ cwd: home, env: { ...env, HOME: home, HARNESS_HOME: home } });
  const { configPaths, egress } = base;
  const { workspaces } = openWorkspaces(base, {
    version: "1",
    credentials: () => credentials,
    embedders: () => new EmbedderCatalog({ sources, files }),
    rerankers: () => new RerankerCatalog(sources),
    events: noEvents,
  });
  const capabilities = openCapabilities(configPaths);
  const elsewhere = openCredentials(configPaths, { clock, keyring: () => "off" });
  const sources: ModelSources = new ModelSources({
    folders: { root: configPaths.root, home },
    env,
    own: () => workspaces.own,
    credentials: () => credentials,
    capabilities,
    onWaiting: () => undefined,
    clock,
  });
  const credentials = new ProviderCredentials({
    stored: { credentials: openCredentials(configPaths, { clock, keyring: () => "off" }), secrets: new KnownSecrets() },
    env: { real: env, withFiles: () => ({ env, from: "" }) },
    vendors: vendors ?? (() => sources.addressedVendors()),
    clock,
    egress: egress.guarding(() => false),
    onChange: () => models.forget(),
    report: () => undefined,
  });
  const files = new LocalModelFiles({ root: configPaths.root, home });
  const spend = new SpendRecorder({ ledger: openSpendLedger(configPaths), clock, report: () => undefined });
  const models = new ModelCatalog({ sources, files, capabilities, spend, clock, harness: { home, version: "1" } });
  return { models, credentials, elsewhere, spend, configPaths, workspace: workspaces.own };
}

const config = { provider: "openai", model: "m" };

it("the catalog chooses a model again when another process has changed a key, but not when it has renewed a login", async () => {
  const { models, workspace, elsewhere } = open();
  expect(await models.choose(workspace, config)).toMatchObject({
    problem: expect.stringContaining("needs an API key"),
  });
  await elsewhere.set("openai", { type: "apiKey", key: "first-key-0123456789", host: "api.openai.com" });
  const first = await models.choose(workspace, config);
  expect(first).toMatchObject({ model: "m" });
  await elsewhere.set("chatgpt", { type: "oauth", accessToken: "one" });
  const second = await models.choose(workspace, config);
  await elsewhere.set("chatgpt", { type: "oauth", accessToken: "two" });
  expect(await models.choose(workspace, config)).toBe(second);
  await elsewhere.set("openai", { type: "apiKey", key: "second-key-0123456789", host: "api.openai.com" });
  expect(await models.choose(workspace, config)).not.toBe(second);
});

it("the catalog says why a stored key cannot be used, whichever model was requested", async () => {
  const { models, workspace, elsewhere } = open();
  await elsewhere.set("openai", { type: "apiKey", key: "first-key-0123456789", host: "elsewhere.example" });
  const problem = "belongs to elsewhere.example and is not sent to api.openai.com";
  for (const asked of [config, { provider: "groq", model: "m" }]) {
    expect(await models.choose(workspace, asked)).toMatchObject({ problem: expect.stringContaining(problem) });
  }
});

it("the catalog keeps no choice that failed for an internal reason", async () => {
  let isBroken = true;
  const { vendors } = await import("@harness/providers");
  const { models, workspace, elsewhere } = open(async () => {
    if (isBroken) throw new Error("EACCES");
    return [...vendors];
  });
  await elsewhere.set("openai", { type: "apiKey", key: "first-key-0123456789" });
  await expect(models.choose(workspace, config)).rejects.toThrow("EACCES");
  isBroken = false;
  expect(await models.choose(workspace, config)).toMatchObject({ model: "m" });
});

it("the catalog names the file that configures a provider", async () => {
  const { models, workspace, configPaths } = open();
  mkdirSync(configPaths.root, { recursive: true });
  writeFileSync(configPaths.settings, JSON.stringify({ provider: "nosuch" }));
  const sentence = expect.stringMatching(/^There is no provider "nosuch" \(from ~\/.*settings\.json\)\. There are:/);
  expect(await models.choose(workspace, {})).toMatchObject({ sentence });
  expect(await models.choose(workspace, { provider: "nosuch" })).toMatchObject({
    sentence: expect.stringMatching(/^There is no provider "nosuch"\. There are:/),
  });
});

it("the catalog reports errors in files of providers, variables and capabilities", async () => {
  const { models, workspace, configPaths } = open(undefined, noServers);
  writeFileSync(join(home, ".env"), "OPENAI_BASE_URL\n");
  mkdirSync(join(configPaths.root, "providers"), { recursive: true });
  writeFileSync(join(configPaths.root, "providers", "bad.conf"), "protocol=soap\n");
  writeFileSync(join(configPaths.root, "cards.json"), "{");
  expect((await models.providers(workspace)).problems).toEqual([
    expect.stringContaining("bad.conf: protocol must be one of"),
    expect.stringContaining(".env"),
    expect.stringMatching(/cards\.json is not valid JSON/),
  ]);
});

it("the catalog counts the doctor's requests, without a session", async () => {
  const server = await startModelServer({
    flavour: "vllm",
    scenario: { models: [{ id: "m" }], turns: [turns.say("Ready", { repeat: "always" })] },
  });
  const { models, workspace, spend } = open(undefined, { ...noServers, VLLM_URL: server.url });
  const watch = { signal: new AbortController().signal, onProbe: () => undefined };
  await models.examine({ provider: "vllm" }, workspace, watch);
  const { today, byModel } = spend.of();
  expect(today.requests).toBe(server.chatRequests.length);
  expect(today.usage.inputTokens).toBeGreaterThan(0);
  expect(byModel).toMatchObject([{ provider: "vllm", model: "m", cost: { usd: 0, unpricedRequests: 0 } }]);
  await server.close();
});

it("the catalog uses the server at --url, whichever kind it is, and none of the settings' model there", async () => {
  const server = await startModelServer({ flavour: "vllm", scenario: { models: [{ id: "theirs" }], turns: [] } });
  const { models, workspace, configPaths } = open(undefined, { ...noServers, HARNESS_URL: server.url });
  mkdirSync(configPaths.root, { recursive: true });
  writeFileSync(configPaths.settings, JSON.stringify({ provider: "openai", model: "ours" }));
  expect(await models.choose(workspace, {})).toMatchObject({ model: "theirs", vendor: { id: "vllm" } });
  expect((await models.providers(workspace)).selected).toEqual({ provider: "vllm", model: "theirs" });
  const named = open(undefined, { ...noServers, HARNESS_URL: server.url, HARNESS_PROVIDER: "lmstudio" });
  expect(await named.models.choose(named.workspace, {})).toMatchObject({ model: "theirs", vendor: { id: "lmstudio" } });
  await server.close();
});

it("the catalog says where it looked when nothing answers at --url", async () => {
  const { models, workspace } = open(undefined, { ...noServers, HARNESS_URL: "http://127.0.0.1:1" });
  expect(await models.choose(workspace, {})).toMatchObject({
    problem: expect.stringMatching(/http:\/\/127\.0\.0\.1:1\/v1 refuses .* Check the address in -u or HARNESS_URL, or/),
  });
});

it("a saved key is sent only to the address that it was saved at", async () => {
  const { models, workspace, credentials, configPaths } = open();
  await credentials.setKey("openai", "first-key-0123456789");
  expect(await models.choose(workspace, config)).toMatchObject({ model: "m" });
  writeFileSync(configPaths.settings, JSON.stringify({ openai_base_url: "https://models.example/v1" }));
  await new Promise((done) => setImmediate(done));
  expect(await models.choose(workspace, config)).toMatchObject({
    problem: expect.stringContaining("belongs to api.openai.com and is not sent to models.example"),
  });
  await credentials.setKey("openai", "second-key-0123456789");
  expect(await models.choose(workspace, config)).toMatchObject({ vendor: { address: "https://models.example/v1" } });
});
