import type { Embedder, EmbeddingAnswer } from "@harness/core";
import { type ModelServer, type ScenarioInput, startModelServer } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { InstantClock, realClock } from "../../test/clocks.ts";
import { vendorOf } from "../../test/vendor-of.ts";
import { ProviderMemory } from "../choice/provider-memory.ts";
import { resolveEmbedder } from "../choice/resolve-embedder.ts";
import { asList, asRecord } from "../json/lenient-json.ts";
import { locate } from "../vendors/locate.ts";
import { BatchEmbedder } from "./batch-embedder.ts";
import { preparationFor } from "./embedding-models.ts";
import { embeddingWireOf } from "./embedding-wires.ts";
import { EndpointVectorSource } from "./endpoint-vectors.ts";

type Flavour = "ollama" | "openai" | "llamacpp";
type EmbeddingFaults = NonNullable<NonNullable<ScenarioInput["embeddings"]>["faults"]>;

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const signal = new AbortController().signal;
const programs = {
  builtin: async () => ({ problem: "not installed" }),
  file: async () => ({ problem: "no file" }),
};

type Served = { model?: string; dimensions?: number };

/** The waits between attempts take no time, while the silence of the server is measured by the real clock. */
async function embedderAt(
  flavour: Flavour,
  embeddings: ScenarioInput["embeddings"] = {},
  { model = "a-model", dimensions = 64 }: Served = {},
) {
  const server = await startModelServer({ flavour, scenario: { embeddings } });
  servers.push(server);
  const vendor = vendorOf(flavour);
  const located = vendor && locate(vendor, { baseUrl: server.baseUrl, key: "test" });
  const wire = located?.ok ? embeddingWireOf(located.endpoint) : undefined;
  if (!located?.ok || !wire) throw new Error(flavour);
  const { endpoint } = located;
  const clock = new InstantClock("2026-01-01T00:00:00Z");
  const { queues } = new ProviderMemory(clock);
  const queue = queues.behind(endpoint);
  const source = new EndpointVectorSource({ wire, endpoint, model, clock: realClock, ...(queue && { queue }) });
  const preparation = { ...preparationFor(model), dimensions };
  const name = `${flavour}/${model}`;
  const embedder = new BatchEmbedder({ name, source, preparation, clock, random: () => 1 });
  const requests = () => server.requests.filter(({ path }) => /embed/.test(path));
  const sent = () => requests().map(({ body }) => asList(asRecord(body).input).map(String));
  return { server, embedder, sent, clock, queue, requests };
}

const cosine = (a: Float32Array | null | undefined, b: Float32Array | null | undefined) =>
  a && b ? a.reduce((sum, each, at) => sum + each * (b[at] ?? 0), 0) : Number.NaN;
const have = ({ vectors }: EmbeddingAnswer) => vectors.map(Boolean);
const documents = (embedder: Embedder, texts: string[]) => embedder.embed(texts, "document", signal);
const texts = (count: number) => Array.from({ length: count }, (_, at) => `text number ${at}`);

describe.each<Flavour>(["ollama", "openai", "llamacpp"])("embeddings of %s", (flavour) => {
  it("are vectors of length 1 in the order of the texts, near each other for similar texts", async () => {
    const { embedder } = await embedderAt(flavour);
    const { vectors, problem } = await documents(embedder, [
      "parse the config file",
      "config file parser parse",
      "green tea",
    ]);
    expect(problem).toBeUndefined();
    expect(cosine(vectors[0], vectors[0])).toBeCloseTo(1, 5);
    expect(cosine(vectors[0], vectors[1])).toBeGreaterThan(cosine(vectors[0], vectors[2]));
    expect(embedder).toMatchObject({ dimensions: 64, name: `${flavour}/a-model`, key: `${flavour}/a-model@64` });
  });

  it("are requested in batches, one at a time", async () => {
    const { embedder, sent } = await embedderAt(flavour);
    const { vectors } = await documents(embedder, texts(40));
    expect(vectors.every((vector) => vector?.length === 64)).toBe(true);
    expect(sent().map(({ length }) => length)).toEqual([16, 16, 8]);
  });

  it("come in smaller batches after a refusal, also from then on", async () => {
    const { embedder, sent } = await embedderAt(flavour, { maxTexts: 5 });
    expect(have(await documents(embedder, texts(10)))).toEqual(new Array(10).fill(true));
    const before = sent().length;
    await documents(embedder, texts(8));
    expect(
      sent()
        .slice(before)
        .every(({ length }) => length <= 5),
    ).toBe(true);
  });

  it("come for the beginning of a text that is too long", async () => {
    const { embedder, sent } = await embedderAt(flavour, { maxChars: 300 });
    expect(have(await documents(embedder, ["x".repeat(1_000), "short"]))).toEqual([true, true]);
    expect(
      sent()
        .flat()
        .filter((text) => text.startsWith("x"))
        .map(({ length }) => length),
    ).toContain(250);
  });

  const temporary: EmbeddingFaults = [
    { kind: "status", status: 429, retryAfter: 7 },
    { kind: "status", status: 503 },
    { kind: "disconnect" },
    { kind: "cut" },
  ];
  it.each(temporary)("come after a retry: %o", async (fault) => {
    const { embedder, clock } = await embedderAt(flavour, { faults: [{ ...fault, text: "number" }] });
    const { vectors, problem } = await documents(embedder, texts(3));
    expect(problem).toBeUndefined();
    expect(vectors.every(Boolean)).toBe(true);
    expect(clock.slept.some((ms) => ms >= (fault.kind === "status" && fault.status === 429 ? 7_000 : 500))).toBe(true);
  });

  const single: EmbeddingFaults = [
    { kind: "null", times: "always", text: "number 3" },
    { kind: "nan", times: "always", text: "number 3" },
    { kind: "zeros", times: "always", text: "number 3" },
    { kind: "fewer", times: "always", text: "number 3" },
    { kind: "cut", times: "always", text: "number 3" },
  ];
  it.each(single)("come for all other texts if one has none: %o", async (fault) => {
    const { embedder } = await embedderAt(flavour, { faults: [fault] });
    const answer = await documents(embedder, texts(6));
    expect(have(answer)).toEqual([true, true, true, false, true, true]);
    expect(answer.problem).toMatchObject({
      kind: "badAnswer",
      message: expect.stringMatching(/^1 of 6 texts has no vector\. .+\.$/),
    });
  });

  it("are not asked for again and again if none is usable", async () => {
    const { embedder, requests } = await embedderAt(flavour, {
      faults: [{ kind: "zeros", times: "always", text: "number" }],
    });
    const { vectors, problem } = await documents(embedder, texts(64));
    expect(vectors.some(Boolean)).toBe(false);
    expect(problem).toMatchObject({ kind: "badAnswer", message: expect.stringContaining("is all zeros") });
    expect(requests().length).toBeLessThan(5);
  });

  it("of another length than before are a problem, and what came before is kept", async () => {
    const { embedder } = await embedderAt(flavour, {
      faults: [{ kind: "dimensions", dimensions: 32, text: "number 20" }],
    });
    const { vectors, problem } = await documents(embedder, texts(30));
    expect(vectors.slice(0, 20).every(Boolean)).toBe(true);
    expect(vectors.slice(20).some(Boolean)).toBe(false);
    expect(problem).toMatchObject({
      kind: "badAnswer",
      message: expect.stringContaining("has 32 dimensions instead of 64"),
    });
  });

  it("are not waited for longer than a minute: the caller hears how long", async () => {
    const faults: EmbeddingFaults = [{ kind: "status", status: 429, retryAfter: 3_600, text: "number 17" }];
    const { embedder } = await embedderAt(flavour, { faults });
    const { vectors, problem } = await documents(embedder, texts(20));
    expect(vectors.filter(Boolean)).toHaveLength(16);
    expect(problem).toMatchObject({ kind: "rateLimit", retryAfterMs: 3_600_000 });
  });

  it("stop with the signal, without an error", async () => {
    const { embedder, server } = await embedderAt(flavour, { faults: [{ kind: "hang", text: "number" }] });
    const stop = new AbortController();
    const answer = embedder.embed(texts(2), "document", stop.signal);
    await server.hanging();
    stop.abort();
    expect(await answer).toMatchObject({ vectors: [undefined, undefined], problem: { kind: "stopped" } });
  });

  it("say what to do without a key, a model or a server", async () => {
    const refused = await embedderAt(flavour, { faults: [{ kind: "status", status: 401, times: "always" }] });
    const { problem: noKey } = await documents(refused.embedder, ["a"]);
    expect(noKey).toMatchObject({ kind: "auth", message: expect.stringContaining("API key") });
    const { embedder, server } = await embedderAt(flavour);
    server.setScenario({ models: [{ id: "other" }] });
    expect((await documents(embedder, ["a"])).problem).toMatchObject({
      kind: "gone",
      message: expect.stringContaining("no model"),
    });
    await server.close();
    const { problem } = await documents(embedder, ["a"]);
    expect(problem?.kind).toBe("network");
    expect(problem?.message).toContain(server.url.replace("http://", ""));
  });

  it("let a question in between the batches of an index", async () => {
    const { embedder, server, sent } = await embedderAt(flavour, { faults: [{ kind: "hang", text: "number 0" }] });
    const index = documents(embedder, texts(48));
    await server.hanging();
    const question = embedder.embed(["a question"], "query", signal);
    server.release();
    await Promise.all([index, question]);
    expect(sent().findIndex(([first]) => first === "a question")).toBe(1);
  });
});

describe("an embedder", () => {
  it("adds the prefixes of its model, which are part of its key", async () => {
    const { embedder, sent } = await embedderAt(
      "ollama",
      { dimensions: 768 },
      { model: "nomic-embed-text", dimensions: 768 },
    );
    await documents(embedder, ["a", " "]);
    await embedder.embed(["b"], "query", signal);
    expect(sent()).toEqual([["search_document: a", "search_document: -"], ["search_query: b"]]);
    expect(embedder.key).toMatch(/^ollama\/nomic-embed-text@768-[0-9a-f]{6}$/);
  });

  it("omits base64 where it is refused", async () => {
    const { embedder, requests } = await embedderAt("openai", { plain: true });
    expect(have(await documents(embedder, ["a"]))).toEqual([true]);
    expect(requests().map(({ body }) => asRecord(body).encoding_format)).toEqual(["base64", undefined]);
  });

  it("waits behind the turns of its server", async () => {
    const { embedder, queue, sent } = await embedderAt("ollama");
    const turn = queue?.enter({ priority: "turn" });
    const answer = documents(embedder, ["later"]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent().flat()).not.toContain("later");
    turn?.leave();
    expect(have(await answer)).toEqual([true]);
  });
});

describe("the setting", () => {
  it.each([
    ["none", "names no embedder"],
    ["elsewhere/model", "There is no provider"],
    ["something", "The setting takes none, builtin, ./MODEL.gguf, ollama/nomic-embed-text, PROVIDER/MODEL"],
    ["builtin", "not installed"],
    ["./x.gguf", "no file"],
    ["anthropic/claude", "makes no embeddings"],
    ["groq", "needs the name of an embedding model"],
    ["mistral", "needs an API key"],
  ])("%s is explained", async (name, words) => {
    const clock = new InstantClock("2026-01-01T00:00:00Z");
    const found = await resolveEmbedder({ env: {}, clock, memory: new ProviderMemory(clock), programs, signal, name });
    expect(found).toMatchObject({ ok: false, problem: expect.stringContaining(words) });
  });

  it("names no far server in local-only mode", async () => {
    const clock = new InstantClock("2026-01-01T00:00:00Z");
    const egress = { localOnly: true, leave: () => ({ refused: "local only" }), barrier: async () => "far" };
    const question = {
      env: { OPENAI_API_KEY: "k" },
      clock,
      memory: new ProviderMemory(clock),
      programs,
      signal,
      egress,
    };
    const found = await resolveEmbedder({ ...question, name: "openai" });
    expect(found).toMatchObject({ ok: false, problem: expect.stringContaining("local-only") });
  });

  it("asks a server for the dimensions of a model that no row knows", async () => {
    const server = await startModelServer({ flavour: "ollama", scenario: { embeddings: { dimensions: 48 } } });
    servers.push(server);
    const memory = new ProviderMemory(realClock);
    const question = { env: server.environment, clock: realClock, memory, programs, signal };
    const found = await resolveEmbedder({ ...question, name: "ollama/own-model:latest" });
    expect(found).toMatchObject({ ok: true, embedder: { key: "ollama/own-model@48", dimensions: 48 } });
    expect(found.ok && found.embedder.leavesTo).toBeUndefined();
    const known = await resolveEmbedder({ ...question, name: "ollama" });
    expect(known).toMatchObject({ ok: true, embedder: { name: "ollama/nomic-embed-text", dimensions: 768 } });
    expect(server.requests).toHaveLength(1);
  });

  it("says where texts would go", async () => {
    const clock = new InstantClock("2026-01-01T00:00:00Z");
    const question = { env: { OPENAI_API_KEY: "k" }, clock, memory: new ProviderMemory(clock), programs, signal };
    const found = await resolveEmbedder({ ...question, name: "openai" });
    expect(found).toMatchObject({ ok: true, embedder: { leavesTo: "https://api.openai.com/v1", dimensions: 1536 } });
  });
});
