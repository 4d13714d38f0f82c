import type { CapabilityRecord } from "@harness/protocol";
import { type Flavour, type ModelServer, type ScenarioInput, startModelServer } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { realClock } from "../../test/clocks.ts";
import { listModels, listProviders, resolveModel } from "../../test/resolver.ts";
import { envExample, vendors } from "../vendors/vendors.ts";

const servers: ModelServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

type Env = Record<string, string>;
/** Addresses without a server, so that what runs on this machine does not matter. */
const noServers: Env = { OLLAMA_HOST: ":1", LLAMACPP_URL: "http://127.0.0.1:1", VLLM_URL: ":1", LMSTUDIO_URL: ":1" };

async function run(flavour: Flavour, models?: ScenarioInput["models"]): Promise<{ server: ModelServer; env: Env }> {
  const server = await startModelServer({ flavour, scenario: { ...(models && { models }) } });
  servers.push(server);
  const vendor = vendors.find(({ id }) => id === flavour);
  return { server, env: { [vendor?.baseUrlEnv ?? ""]: server.baseUrl || server.url } };
}

describe("the list of providers", () => {
  it("says what each provider needs, or where it answers", async () => {
    const { server } = await run("ollama", [{ id: "a" }, { id: "b" }]);
    const env = { ...noServers, OLLAMA_HOST: server.url, OPENROUTER_API_KEY: "r", GOOGLE_API_KEY: "g" };
    const views = await listProviders({ env, clock: realClock });
    expect(views.map(({ id }) => id)).toEqual(vendors.map(({ id }) => id));
    expect(views.filter(({ ready }) => ready).map(({ id }) => id)).toEqual(["ollama", "openrouter", "gemini"]);
    const detailOf = (id: string) => views.find((view) => view.id === id)?.detail;
    expect(detailOf("ollama")).toBe(`Answers at ${server.url} with 2 models.`);
    expect(detailOf("llamacpp")).toContain("start it with `llama-server");
    expect(detailOf("gemini")).toContain("with the key in GOOGLE_API_KEY");
    expect(detailOf("openai")).toBe(
      "OpenAI needs an API key. Set OPENAI_API_KEY in the environment or in a .env file, or run `harness auth set openai`.",
    );
    expect(detailOf("claude")).toContain("harness auth login claude");
    expect(views.filter(({ login }) => login).map(({ id }) => id)).toEqual(["chatgpt", "claude"]);
    expect(views.find(({ id }) => id === "openai")).toMatchObject({ keyEnv: "OPENAI_API_KEY", local: false });
  });

  it("counts a login as access, and a token in a variable", async () => {
    const login = { token: async () => ({ token: "t" }), renew: async () => false };
    const logins = (id: string) => (id === "chatgpt" ? login : undefined);
    const env = { ...noServers, CLAUDE_ACCESS_TOKEN: "secret" };
    const views = await listProviders({ env, clock: realClock, logins });
    const ready = views.filter((view) => view.ready).map(({ id, detail }) => [id, detail]);
    expect(ready).toEqual([
      ["chatgpt", "At https://api.openai.com/v1, logged in."],
      ["claude", "At https://api.anthropic.com/v1, with the token in CLAUDE_ACCESS_TOKEN."],
    ]);
  });
});

describe("the list of models", () => {
  it("has the models of all usable providers, with data of the server and the table", async () => {
    const local = await run("lmstudio", [{ id: "a", loaded: true, contextTokens: 9_999 }, { id: "text-embed-x" }]);
    const hosted = await run("openrouter", [{ id: "maker/b", contextTokens: 200_000 }]);
    const env = { ...noServers, ...local.env, ...hosted.env };
    const { models, problems } = await listModels({ env, clock: realClock });
    expect(problems).toEqual([]);
    expect(models).toMatchObject([
      { provider: "lmstudio", model: "a", windowTokens: 9_999, loaded: true, slots: 1, price: { input: 0, output: 0 } },
      { provider: "openrouter", model: "maker/b", windowTokens: 200_000, price: { input: 3, output: 15 } },
    ]);
    expect(models).toHaveLength(2);
  });

  it("requests the models of a vendor, or reports the problem", async () => {
    const env = { ...noServers };
    const asked = (provider: string) => listModels({ env, clock: realClock, provider });
    expect((await asked("ollama")).problems).toEqual([expect.stringContaining("is not running")]);
    expect((await asked("openai")).problems).toEqual([expect.stringContaining("needs an API key")]);
    expect((await asked("x")).problems).toEqual([expect.stringContaining('no provider "x"')]);
    expect((await asked("llama.cpp")).problems).toEqual([expect.stringContaining("llama.cpp at http://127.0.0.1:1")]);
  });

  it("reads Anthropic's pages, with limits and capabilities", async () => {
    const { env, server } = await run("anthropic", [{ id: "claude-sonnet-5-5" }, { id: "claude-next" }]);
    const { models } = await listModels({ env: { ...noServers, ...env, ANTHROPIC_API_KEY: "k" }, clock: realClock });
    expect(models.map(({ model }) => model)).toEqual(["claude-sonnet-5-5", "claude-next"]);
    expect(models[0]).toMatchObject({ provider: "anthropic", aliases: ["sonnet", "claude"] });
    // The table's price is Anthropic's own; a server on this machine is free.
    expect(models[0]?.price).toEqual({ input: 0, output: 0 });
    expect(models[0]?.place).toBe(`at ${new URL(server.url).host}`);
    expect(server.requests[0]?.headers).toMatchObject({ "anthropic-version": "2023-06-01" });
    expect(server.problems).toEqual([]);
  });

  it("includes the capabilities that harness doctor measured", async () => {
    const { env, server } = await run("vllm", [{ id: "m" }]);
    const record = { provider: "vllm", model: "m", toolMode: "prompted" } as CapabilityRecord;
    const capabilities = (...key: string[]) => (key.join() === `vllm,m,${server.baseUrl}` ? record : undefined);
    const { models } = await listModels({
      env: { ...noServers, ...env },
      clock: realClock,
      provider: "vllm",
      capabilities,
    });
    expect(models).toMatchObject([{ model: "m", capabilities: record }]);
  });
});

it("no listing ever shows a key", async () => {
  const { env } = await run("openai");
  const secret = { ...noServers, ...env, OPENAI_API_KEY: "sk-live-secret", CHATGPT_ACCESS_TOKEN: "token-secret" };
  const everything = [
    await listProviders({ env: secret, clock: realClock }),
    await listModels({ env: secret, clock: realClock, provider: "openai" }),
    await resolveModel({ env: secret, clock: realClock }),
    await resolveModel({ provider: "openai", model: "m", env: secret, clock: realClock }),
    await resolveModel({ provider: "chatgpt", env: secret, clock: realClock }),
  ];
  expect(JSON.stringify(everything)).not.toContain("secret");
});

it("the example of a .env file names every variable of the table, and sets none", () => {
  const text = envExample();
  for (const vendor of vendors) {
    const names = [vendor.keyEnv, vendor.baseUrlEnv, ...(vendor.otherKeyEnvs ?? [])];
    for (const name of names) expect(text).toContain(`# ${name}=`);
  }
  expect(text.split("\n").every((line) => line === "" || line.startsWith("#"))).toBe(true);
});
