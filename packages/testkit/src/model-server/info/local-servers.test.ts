import { afterEach, describe, expect, it } from "vitest";
import type { Flavour } from "../flavours/flavour.ts";
import type { RequestRecord } from "../http/journal.ts";
import { type ModelServer, startModelServer } from "../server.ts";
import type { ScenarioInput } from "../story/scenario.ts";
import { turns } from "../story/turns.ts";

let server: ModelServer;
afterEach(() => server.close());

async function open(flavour: Flavour, scenario: ScenarioInput): Promise<void> {
  server = await startModelServer({ flavour, scenario });
}

type Json = Record<string, unknown>;

async function get(path: string, body?: unknown): Promise<unknown> {
  const method = body === undefined ? "GET" : "POST";
  return (await fetch(server.url + path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })).json();
}

function chat(content: string, extras: Json = {}): Promise<Response> {
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content }], ...extras });
  return fetch(`${server.url}/v1/chat/completions`, { method: "POST", body });
}

async function chunks(extras: Json): Promise<Json[]> {
  const text = await (await chat("hi", { stream: true, ...extras })).text();
  const lines = text.split("\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => JSON.parse(line.slice("data: ".length)));
}

/** Answers with the requested word, at once or, for these words, when it is released. */
function echo(words: string[], hanging: string[]): ScenarioInput["lanes"] {
  const hang = { fault: { kind: "hang" } as const };
  return words.map((word) => ({ match: word, turns: [turns.say(`said ${word}`, hanging.includes(word) ? hang : {})] }));
}

describe("slots", () => {
  it("let so many be answered side by side; the others wait in turn, and the journal knows", async () => {
    const words = ["one", "two", "three", "four"];
    await open("llamacpp", { models: [{ id: "m", slots: 2 }], lanes: echo(words, ["one", "two"]) });
    const answers = [chat("one"), chat("two")];
    const hanging = (record: RequestRecord) => record.state === "hanging";
    await Promise.all([server.nextRequest(hanging), server.nextRequest(hanging)]);
    answers.push(chat("three"));
    expect((await server.waiting()).map((record) => record.number)).toEqual([3]);
    answers.push(chat("four"));
    expect((await server.waiting(2)).map((record) => record.number)).toEqual([3, 4]);
    expect(await get("/slots")).toMatchObject([
      { id: 0, is_processing: true },
      { id: 1, is_processing: true },
    ]);
    server.release();
    const texts = await Promise.all(answers.map(async (answer) => (await answer).text()));
    for (const [index, word] of words.entries()) expect(texts[index]).toContain(`said ${word}`);
    await server.idle();
    expect(server.chatRequests.map((record) => record.slot).toSorted()).toEqual([0, 0, 1, 1]);
    expect(Math.max(...server.chatRequests.map((record) => record.inFlight ?? 0))).toBe(2);
    expect(await get("/slots")).toMatchObject([{ is_processing: false }, { is_processing: false }]);
  });

  it("are forgotten by a client that leaves while it waits", async () => {
    await open("openai", { slots: 1, lanes: echo(["one", "two", "three"], ["one"]) });
    const first = chat("one");
    await server.hanging();
    const leave = new AbortController();
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "two" }] });
    const url = `${server.url}/v1/chat/completions`;
    const left = fetch(url, { method: "POST", body, signal: leave.signal }).catch(() => "left");
    await server.waiting();
    leave.abort();
    expect(await left).toBe("left");
    await server.nextRequest((record) => record.number === 2 && record.state === "done");
    const third = chat("three");
    await server.waiting();
    server.release();
    expect(await (await first).text()).toContain("said one");
    expect(await (await third).text()).toContain("said three");
    expect(server.chatRequests[1]).toMatchObject({ aborted: true, state: "done" });
    expect(server.chatRequests[1]).not.toHaveProperty("turnIndex");
  });

  it("can be asked for by number", async () => {
    await open("llamacpp", { models: [{ id: "m", slots: 3 }], lanes: echo(["one", "two", "three"], ["one"]) });
    const first = chat("one", { id_slot: 2 });
    await server.hanging();
    const second = chat("two", { id_slot: 2 });
    await server.waiting();
    expect(await (await chat("three", { id_slot: -1 })).text()).toContain("said three");
    server.release();
    await (await first).text();
    await (await second).text();
    expect(server.chatRequests.map((record) => record.slot)).toEqual([2, 2, 0]);
  });

  it("are without number unless the scenario names one", async () => {
    await open("openai", { lanes: echo(["one", "two", "three"], ["one", "two"]) });
    const hanging = (record: RequestRecord) => record.state === "hanging";
    const answers = [chat("one"), chat("two")];
    await Promise.all([server.nextRequest(hanging), server.nextRequest(hanging)]);
    expect(await (await chat("three")).text()).toContain("said three");
    server.release();
    await Promise.all(answers);
    expect(server.chatRequests[2]?.inFlight).toBe(3);
  });
});

describe("llama.cpp", () => {
  it("reports a prompt that it reads when asked to, batch by batch, and its times at the end", async () => {
    const usage = { inputTokens: 5000, outputTokens: 10, cachedTokens: 1000 };
    await open("llamacpp", { turns: [turns.say("Hi", { usage, repeat: 2 })] });
    const list = await chunks({ return_progress: true, stream_options: { include_usage: true } });
    expect(list.flatMap((chunk) => chunk.prompt_progress ?? [])).toEqual([
      { total: 5000, cache: 1000, processed: 1000, time_ms: 0 },
      { total: 5000, cache: 1000, processed: 3048, time_ms: 1024 },
      { total: 5000, cache: 1000, processed: 5000, time_ms: 2000 },
    ]);
    expect(list.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 5000 },
      timings: { cache_n: 1000, prompt_n: 4000, predicted_n: 10 },
    });
    const plain = await chunks({});
    expect(plain.some((chunk) => "prompt_progress" in chunk)).toBe(false);
    expect(plain.at(-1)).toMatchObject({ timings: { prompt_n: 4000 } });
  });

  it("describes itself in /props", async () => {
    await open("llamacpp", {
      models: [{ id: "m", contextTokens: 12_288, slots: 2, capabilities: ["completion", "vision"] }],
    });
    expect(await get("/props")).toMatchObject({
      total_slots: 2,
      default_generation_settings: { n_ctx: 12_288 },
      modalities: { vision: true, audio: false },
      chat_template: expect.stringContaining("messages"),
      chat_template_caps: { supports_tools: false },
    });
  });
});

describe("Ollama", () => {
  it("lists which models run elsewhere, and never has them loaded", async () => {
    const remote = { id: "big:120b-cloud", remoteHost: "https://ollama.com:443", loaded: true };
    await open("ollama", { models: [{ id: "near", loaded: true }, remote] });
    expect(await get("/api/show", { model: "big:120b-cloud" })).toMatchObject({
      remote_model: "big:120b",
      remote_host: "https://ollama.com:443",
    });
    expect(await get("/api/tags")).toMatchObject({
      models: [{ name: "near" }, { remote_host: "https://ollama.com:443" }],
    });
    expect(await get("/api/ps")).toMatchObject({
      models: [{ name: "near", context_length: 4096, size_vram: expect.any(Number), expires_at: expect.any(String) }],
    });
    expect(JSON.stringify(await get("/api/ps"))).not.toContain("big");
  });
});

describe("LM Studio", () => {
  it("has nothing loaded until it is, and then with a window and its slots", async () => {
    await open("lmstudio", {
      models: [
        { id: "a", loaded: false },
        { id: "b", contextTokens: 9000, slots: 4, capabilities: ["tools", "vision"] },
      ],
    });
    expect(await get("/api/v1/models")).toMatchObject({
      models: [
        { key: "a", loaded_instances: [] },
        {
          key: "b",
          loaded_instances: [{ config: { context_length: 9000, parallel: 4 } }],
          capabilities: { vision: true, trained_for_tool_use: true },
        },
      ],
    });
    expect(await get("/api/v0/models/b")).toMatchObject({ type: "vlm", loaded_context_length: 9000 });
  });

  it("loads a model on request, with the context length that is asked for", async () => {
    await open("lmstudio", { models: [{ id: "a", loaded: false, contextTokens: 4_096 }] });
    const load = { model: "a", context_length: 9_000, echo_load_config: true };
    expect(await get("/api/v1/models/load", load)).toMatchObject({
      instance_id: "a",
      status: "loaded",
      load_config: { context_length: 9_000 },
    });
    expect(await get("/api/v1/models")).toMatchObject({
      models: [{ loaded_instances: [{ id: "a", config: { context_length: 9_000 } }] }],
    });
    expect(await get("/api/v1/models/unload", { instance_id: "a" })).toEqual({ instance_id: "a" });
    expect(await get("/api/v1/models/load", { model: "a" })).not.toHaveProperty("load_config");
    expect(await get("/api/v1/models")).toMatchObject({
      models: [{ loaded_instances: [{ config: { context_length: 4_096 } }] }],
    });
  });

  it.each([
    ["the name of no model", { model: "b" }, "model_not_found"],
    ["no name", {}, "invalid_request"],
    ["a model that does not fit", { model: "a", context_length: 9_000 }, "internal_error"],
  ])("refuses to load %s", async (_, body, type) => {
    const load = { error: "insufficient system resources", errorAbove: 8_192 };
    await open("lmstudio", { models: [{ id: "a", loaded: false, contextTokens: 4_096, load }] });
    expect(await get("/api/v1/models/load", body)).toMatchObject({ error: { type } });
  });

  it("has neither the list nor loading before 0.4", async () => {
    await open("lmstudio", { models: [{ id: "a" }], loading: { api: false } });
    const error = expect.stringContaining("Unexpected endpoint or method");
    expect(await get("/api/v1/models")).toEqual({ error });
    expect(await get("/api/v1/models/load", { model: "a" })).toEqual({ error });
  });
});
