import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import {
  endEvent,
  type Flavour,
  type ModelServer,
  type ScenarioInput,
  startModelServer,
  talk,
  turns,
} from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { ManualClock, realClock } from "../../test/clocks.ts";
import type { Question } from "../../test/resolver.ts";
import { listProviders, resolveModel } from "../../test/resolver.ts";
import { vendorOf } from "../../test/vendor-of.ts";
import { createRegistry } from "../vendors/vendor-registry.ts";
import type { Vendor } from "../wires/endpoint/vendor.ts";
import type { ResolvedModel, UnresolvedModel } from "./model-question.ts";

const servers: ModelServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

type Env = Record<string, string>;
type Models = NonNullable<ScenarioInput["models"]>;
/** Addresses without a server, so that what runs on this machine does not matter. */
const noServers: Env = { OLLAMA_HOST: ":1", LLAMACPP_URL: "http://127.0.0.1:1", VLLM_URL: ":1", LMSTUDIO_URL: ":1" };

const address: Partial<Record<Flavour, string>> = {
  ollama: "OLLAMA_HOST",
  llamacpp: "LLAMACPP_URL",
  vllm: "VLLM_URL",
  lmstudio: "LMSTUDIO_URL",
  openai: "OPENAI_BASE_URL",
  openrouter: "OPENROUTER_BASE_URL",
};

async function run(flavour: Flavour, models?: ScenarioInput["models"]): Promise<{ server: ModelServer; env: Env }> {
  const server = await startModelServer({ flavour, scenario: { ...(models && { models }), turns: [turns.say("hi")] } });
  servers.push(server);
  return { server, env: { [address[flavour] ?? ""]: server.url } };
}

function resolve(ask: Partial<Question>): Promise<ResolvedModel | UnresolvedModel> {
  return resolveModel({ clock: realClock, ...ask, env: { ...noServers, ...ask.env } });
}

/** `vendor model`, or the problem. */
async function chosen(ask: Partial<Question>): Promise<string> {
  const resolved = await resolve(ask);
  return "problem" in resolved ? resolved.problem : `${resolved.vendor.id} ${resolved.model}`;
}

const router = { OPENROUTER_API_KEY: "r" };
const openai = { OPENAI_API_KEY: "o" };

it.each<[string, Flavour, string, Models, boolean | undefined]>([
  ["several slots", "llamacpp", "llamacpp", [{ id: "m", slots: 4 }], true],
  ["a single slot", "llamacpp", "llamacpp", [{ id: "m", slots: 1 }], undefined],
  ["an unknown number of them on this machine", "openai", "openai", [{ id: "m" }], undefined],
])("requests beside a conversation are for a server with %s", async (_name, flavour, provider, models, isSpare) => {
  const { env } = await run(flavour, models);
  const resolved = await resolve({ provider, model: "m", env: { OPENAI_API_KEY: "o", ...env } });
  expect(resolved).toMatchObject({ model: "m" });
  expect("hasSpareSlots" in resolved ? resolved.hasSpareSlots : undefined).toBe(isSpare);
});

it("requests beside a conversation are for a server that is elsewhere", async () => {
  const resolved = await resolve({ provider: "openai", model: "m", env: openai });
  expect(resolved).toMatchObject({ hasSpareSlots: true });
});

describe("a model that is named with its provider", () => {
  it.each<[string, string[], string]>([
    ["is not sent to a provider that lacks it", ["gpt-x"], "Anthropic needs"],
    ["is used at a gateway that has it", ["gpt-x", "anthropic/claude-x"], "openai anthropic/claude-x"],
  ])("%s", async (_name, ids, expected) => {
    const { env } = await run(
      "openai",
      ids.map((id) => ({ id })),
    );
    const ask = { model: "anthropic/claude-x", env: { ...env, ...openai } };
    expect(await chosen(ask)).toContain(expected);
  });
});

describe("a requested model", () => {
  it.each<[string, Partial<Question>, string]>([
    ["provider and model", { provider: "openai", model: "gpt-x", env: openai }, "openai gpt-x"],
    ["a provider alone", { provider: "openrouter", env: router }, "openrouter anthropic/claude-sonnet-5.5"],
    ["another provider alone", { provider: "openai", env: { ...openai, ...router } }, "openai gpt-5.6"],
    ["a model, with one key", { model: "some/model", env: router }, "openrouter some/model"],
    ["a vendor in the model", { model: "openai/gpt-x", env: { ...openai, ...router } }, "openai gpt-x"],
    ["a vendor that has no key", { model: "openai/gpt-x", env: router }, "openrouter openai/gpt-x"],
    ["OpenRouter in the model", { model: "openrouter/openai/gpt-x", env: router }, "openrouter openai/gpt-x"],
    ["a model of OpenRouter itself", { model: "openrouter/auto", env: router }, "openrouter openrouter/auto"],
    [
      "a model with a slash and a provider",
      { provider: "vllm", model: "openai/gpt-oss", env: router },
      "vllm openai/gpt-oss",
    ],
    ["a local vendor in the model", { model: "llamacpp/x", env: router }, "llamacpp x"],
    ["empty texts", { provider: "", model: "", env: router }, "openrouter anthropic/claude-sonnet-5.5"],
  ])("is chosen: %s", async (_name, ask, expected) => {
    expect(await chosen(ask)).toBe(expected);
  });

  it.each<[string, Partial<Question>, string]>([
    ["a provider that there is not", { provider: "nope" }, 'There is no provider "nope". There are: ollama, llamacpp,'],
    ["a provider without its key", { provider: "openai", env: router }, "OpenAI needs an API key. Set OPENAI_API_KEY"],
    [
      "an address that is none",
      { provider: "ollama", env: { OLLAMA_HOST: "ftp://x" } },
      "OLLAMA_HOST is not a valid address",
    ],
    [
      "an address of the command line that is none",
      { provider: "ollama", env: { OLLAMA_HOST: "ftp://x", HARNESS_URL: "ftp://x" } },
      "-u or HARNESS_URL is not a valid address for Ollama",
    ],
    [
      "a server of the command line that does not run",
      { provider: "ollama", env: { OLLAMA_HOST: ":1", HARNESS_URL: ":1" } },
      "start it with `ollama serve`, check the address in -u or HARNESS_URL, or choose another provider.",
    ],
    [
      "another address than that of the command line",
      { provider: "ollama", env: { OLLAMA_HOST: "ftp://x", HARNESS_URL: "http://box" } },
      "ollama_url or OLLAMA_HOST is not a valid address",
    ],
    ["a server that does not run", { provider: "ollama" }, "is not running: start it with `ollama serve`"],
    ["a model that two could have", { model: "x", env: { ...openai, ...router } }, 'write "openrouter/x"'],
    ["a vendor in the model, without its key", { model: "openai/gpt-x" }, "OpenAI needs an API key."],
    ["a short name, without the maker's key", { model: "sonnet" }, "Anthropic needs an API key."],
    [
      "a provider of the settings that there is not",
      { provider: "nope", from: { provider: "~/settings.json" } },
      'There is no provider "nope" (from ~/settings.json). There are:',
    ],
    [
      "a provider of the settings without its key",
      { provider: "openai", from: { provider: "~/settings.json" } },
      "or run `harness auth set openai`. openai is set as the provider in ~/settings.json.",
    ],
  ])("is reported as a problem: %s", async (_name, ask, words) => {
    const resolved = await resolve(ask);
    expect("problem" in resolved && resolved.problem).toContain(words);
    expect(resolved).toMatchObject({ advice: [] });
  });

  it("is a problem without a server or key, with a message on how to get a model", async () => {
    const problem = "No model is set up yet.";
    expect(await resolve({ model: "x" })).toMatchObject({ problem, advice: { length: 4 } });
  });

  it("leads to the missing vendor's name, not to a local server with another model", async () => {
    const { env } = await run("ollama", [{ id: "tiny:1b" }]);
    for (const model of ["sonnet", "anthropic/claude-x"]) {
      expect(await chosen({ env, model, exact: true })).toMatch(/^Anthropic needs an API key\./);
    }
    const own = await run("ollama", [{ id: "sonnet" }]);
    expect(await chosen({ env: own.env, model: "sonnet", exact: true })).toBe("ollama sonnet");
  });

  it("comes with effort, context window and vendor", async () => {
    const resolved = await resolve({
      provider: "openai",
      model: "gpt-4o",
      effort: "high",
      contextLimit: 9_000,
      env: openai,
    });
    expect(resolved).toMatchObject({
      effort: "high",
      contextWindow: { tokens: 9_000, source: "setting" },
      vendor: { id: "openai", name: "OpenAI", local: false, address: "https://api.openai.com/v1" },
    });
    expect(JSON.stringify(resolved)).not.toContain('"o"');
  });
});

describe("the choice without a request", () => {
  it.each<[string, Env, string]>([
    ["a key", openai, "openai gpt-5.6"],
    ["both keys", { ...openai, ...router }, "openrouter anthropic/claude-sonnet-5.5"],
  ])("takes %s", async (_name, env, expected) => {
    expect(await chosen({ env })).toBe(expected);
  });

  it("prefers an address to a key, and a key to a local server", async () => {
    const local = await run("ollama", [{ id: "local" }]);
    const own = await run("openai", [{ id: "own" }]);
    expect(await chosen({ env: { ...own.env, ...router } })).toBe("openai own");
    expect(await chosen({ env: { ...local.env, ...router } })).toBe("ollama local");
    expect(await chosen({ env: local.env })).toBe("ollama local");
    expect(await resolve({ env: router })).toMatchObject({
      model: "anthropic/claude-sonnet-5.5",
      warning: expect.stringContaining("Using OpenRouter instead."),
    });
  });

  it("contacts no other server when an address cannot be parsed", async () => {
    const env = { ...router, OPENAI_BASE_URL: "http://127.0.0.1:99999/v1" };
    expect(await resolve({ env })).toMatchObject({ problem: expect.stringContaining("OPENAI_BASE_URL") });
  });

  it("does not replace a model that was named for this session", async () => {
    const { env } = await run("ollama", [{ id: "tiny:1b" }]);
    expect(await resolve({ env, model: "gone" })).toMatchObject({
      model: "tiny:1b",
      warning: expect.stringContaining("gone"),
    });
    const problem = expect.stringMatching(
      /has no model "gone"\. It has: tiny:1b\. `harness model pull gone` downloads it\.$/,
    );
    const missing = { provider: "ollama", model: "gone" };
    expect(await resolve({ env, model: "gone", exact: true })).toMatchObject({ problem, advice: [], missing });
    const empty = await run("ollama", []);
    const none = expect.stringContaining('has no model "gone". `harness model pull gone` downloads it.');
    expect(await resolve({ env: empty.env, model: "gone", exact: true })).toMatchObject({ problem: none, missing });
    const other = await run("lmstudio", [{ id: "tiny" }]);
    expect(await resolve({ env: other.env, model: "gone", exact: true })).not.toHaveProperty("missing");
    const warning = expect.stringContaining('has no model "gone" (from ~/settings.json): using tiny:1b.');
    expect(await resolve({ env, model: "gone", from: { model: "~/settings.json" } })).toMatchObject({ warning });
  });

  it.each<[string, Partial<Question>, string]>([
    ["is the vendor that its name begins with", { model: "ollama/tiny:1b" }, "ollama tiny:1b"],
    ["is the usual provider's where that lists it so", { model: "openai/gpt-oss" }, "lmstudio openai/gpt-oss"],
    ["is the usual provider's where the name says nothing", { model: "warm" }, "lmstudio warm"],
    [
      "is one of the provider that was named with it",
      { model: "ollama/tiny:1b", usualProvider: false },
      "LM Studio at",
    ],
    ["is missing where that vendor has none", { model: "ollama/gone" }, "`harness model pull gone` downloads it."],
  ])("a model that is named while another provider is usual %s", async (_, ask, expected) => {
    const ollama = await run("ollama", [{ id: "tiny:1b" }]);
    const studio = await run("lmstudio", [{ id: "warm" }, { id: "openai/gpt-oss" }]);
    const env = { ...ollama.env, ...studio.env, ...openai };
    const usual = { provider: "lmstudio", usualProvider: true, exact: true };
    expect(await chosen({ env, ...usual, ...ask })).toContain(expected);
    await studio.server.close();
    if (ask.model === "ollama/tiny:1b" && ask.usualProvider !== false)
      expect(await chosen({ env, ...usual, ...ask })).toBe(expected);
  });

  it("keeps the usual gateway for the makers in its names", async () => {
    const ask = { provider: "openrouter", usualProvider: true, env: { ...router, ANTHROPIC_API_KEY: "a" } };
    expect(await chosen({ ...ask, model: "anthropic/claude-x" })).toBe("openrouter anthropic/claude-x");
    const { env } = await run("ollama", [{ id: "tiny:1b" }]);
    expect(await chosen({ ...ask, env: { ...ask.env, ...env }, model: "ollama/tiny:1b" })).toBe("ollama tiny:1b");
  });

  it("takes the first local server that has a model, and the model in memory", async () => {
    const empty = await run("ollama", [{ id: "nomic-embed-text" }]);
    const full = await run("lmstudio", [
      { id: "cold", loaded: false },
      { id: "warm", loaded: true },
    ]);
    expect(await chosen({ env: { ...empty.env, ...full.env } })).toBe("lmstudio warm");
    expect(await chosen({ env: empty.env })).toContain("has no model. `ollama list`");
  });

  it("explains in a few lines how to get a model", async () => {
    const resolved = await resolve({});
    expect(resolved).toEqual({
      problem: "No model is set up yet.",
      advice: [
        "No model is set up yet.",
        expect.stringMatching(/ollama pull.*harness --model \.\/x\.gguf/),
        expect.stringContaining("OPENROUTER_API_KEY or ANTHROPIC_API_KEY or OPENAI_API_KEY (or one of 7 others)"),
        expect.stringContaining("OPENAI_BASE_URL"),
      ],
    });
  });

  it("takes a server that answers without waiting for one after it that accepts and sends nothing", async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const ready = await run("ollama", [{ id: "here:1b" }]);
    const at = (id: string, baseUrl: string) => ({ ...(vendorOf(id) as Vendor), baseUrl });
    const registry = createRegistry([at("ollama", ready.server.url), at("vllm", `http://127.0.0.1:${port}/v1`)], []);
    const found = await resolveModel({ clock: new ManualClock(), env: {}, registry });
    expect(found).toMatchObject({ vendor: { id: "ollama" }, model: "here:1b" });
    silent.close();
  });

  it("names a server that accepted and sent nothing", async () => {
    const accepted = Promise.withResolvers<void>();
    const silent = createServer((socket) => void socket.once("data", () => accepted.resolve()));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const clock = new ManualClock();
    const resolving = resolve({ env: { OLLAMA_HOST: `:${port}` }, clock });
    await accepted.promise;
    await clock.pass(10_000);
    expect(await resolving).toMatchObject({
      problem: "No model is set up yet.",
      causes: [expect.stringContaining(`Ollama at http://127.0.0.1:${port} accepted the request but did not answer`)],
    });
    silent.close();
  });
});

describe("another web server on a usual port", () => {
  it.each([
    ["text/html", "<html>hello</html>", "not JSON"],
    ["application/json", "{}", "something else than a list of models"],
    ["application/json", '{"error":"Unexpected endpoint"}', "something else than a list of models"],
  ])("is not taken for a model server: %s %s", async (type, body, words) => {
    const other: Server = createHttpServer((_request, response) => response.setHeader("content-type", type).end(body));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const at = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    const env = { OLLAMA_HOST: at, LLAMACPP_URL: at, VLLM_URL: at, LMSTUDIO_URL: at };
    expect(await chosen({ env })).toContain("No model is set up");
    const views = await listProviders({ env, clock: realClock });
    for (const view of views.slice(0, 4))
      expect(view).toMatchObject({ ready: false, detail: expect.stringContaining(words) });
    other.close();
  });
});

describe("a local server", () => {
  it("is asked for the model and its context window, and then answers", async () => {
    const { server, env } = await run("ollama", [{ id: "qwen3-coder:latest", loaded: true, contextTokens: 40_000 }]);
    const resolved = await resolve({ model: "qwen3-coder", env });
    if ("problem" in resolved) throw new Error(resolved.problem);
    expect(resolved).toMatchObject({ model: "qwen3-coder", contextWindow: { tokens: 40_000, source: "server" } });
    expect(resolved.warning).toBeUndefined();
    endEvent(await talk(resolved.provider, { model: resolved.model }));
    expect(server.problems).toEqual([]);
  });

  it("replaces a missing model with its first one, and says so", async () => {
    const { env } = await run("ollama", [{ id: "here:latest" }]);
    const resolved = await resolve({ provider: "ollama", model: "gone", env });
    expect(resolved).toMatchObject({ model: "here:latest", warning: expect.stringContaining('has no model "gone"') });
  });

  it("keeps a model name that it does not list when it is asked for", async () => {
    const { env } = await run("llamacpp", [{ id: "loaded.gguf" }]);
    expect(await resolve({ provider: "llamacpp", model: "any", env })).toMatchObject({ model: "any" });
  });

  it("is chosen even when it does not run yet: the request reports that", async () => {
    expect(await chosen({ provider: "ollama", model: "x" })).toBe("ollama x");
  });

  it("is found by its model", async () => {
    const one = await run("ollama", [{ id: "a" }]);
    const two = await run("lmstudio", [{ id: "b" }]);
    const env = { ...one.env, ...two.env };
    expect(await chosen({ model: "b", env })).toBe("lmstudio b");
    expect(await chosen({ model: "c", env })).toContain("ollama and lmstudio are running, but none of them has it");
  });
});
