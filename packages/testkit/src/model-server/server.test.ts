// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is the template syntax under test.
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { FLAVOURS, type Flavour } from "./flavours/flavour.ts";
import { type ModelServer, type ModelServerOptions, startModelServer } from "./server.ts";
import { makeReply } from "./story/reply.ts";
import { readScenario } from "./story/scenario.ts";
import { generatedFrames } from "./story/text-frames.ts";
import { turns } from "./story/turns.ts";

let server: ModelServer;
afterEach(() => server.close());

async function open(options: ModelServerOptions): Promise<void> {
  server = await startModelServer(options);
}

const ask = (content: string, extras: Record<string, unknown> = {}): Promise<Response> =>
  fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content }], ...extras }),
  });

/** The fields of the server's responses that this file reads; the assertions say whether they are there. */
type Answer = {
  choices?: { message: { content: unknown } }[];
  error?: { message: unknown };
  [field: string]: unknown;
};
const jsonOf = async (answer: Response): Promise<Answer> => (await answer.json()) as Answer;
const contentOf = async (answer: Response): Promise<unknown> => (await jsonOf(answer)).choices?.[0]?.message.content;

describe("the journal", () => {
  it("records requests with times, and hands each out once, past or future", async () => {
    await open({ scenario: { turns: [turns.say("a"), turns.say("b")] } });
    const before = performance.now();
    const coming = server.nextRequest((record) => record.chat);
    await fetch(`${server.url}/v1/models`);
    await (await ask("one")).text();
    await (await ask("two")).text();
    const [first, second, rest] = [
      await coming,
      await server.nextRequest((record) => record.chat),
      await server.nextRequest(),
    ];
    expect([first.body, second.body]).toMatchObject([
      { messages: [{ content: "one" }] },
      { messages: [{ content: "two" }] },
    ]);
    expect(rest.path).toBe("/v1/models");
    await server.idle();
    const times = [before, first.receivedAtMs, first.firstByteAtMs ?? 0, first.lastByteAtMs ?? 0];
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(server.chatRequests.map((record) => record.number)).toEqual([2, 3]);
    expect(first).toMatchObject({ status: 200, state: "done", aborted: false, lane: "default", turnIndex: 0 });
  });

  it("forgets what was asked where it shall, once it was answered", async () => {
    await open({ scenario: { turns: [turns.say("a")] }, forgetful: true });
    const record = server.nextRequest();
    expect(await contentOf(await ask("one"))).toBe("a");
    await server.idle();
    expect(await record).toMatchObject({ state: "done", body: undefined });
    expect((await record).bodyBytes).toBeGreaterThan(0);
  });

  it("can be read by another process, which can also load a scenario", async () => {
    await open({ scenario: { turns: [turns.say("old")] } });
    await ask("hi");
    const load = (scenario: unknown) =>
      fetch(`${server.url}/__scenario`, { method: "POST", body: JSON.stringify(scenario) });
    const refused = await load({ turns: [{ say: "typo" }] });
    expect([refused.status, (await jsonOf(refused)).error]).toEqual([400, expect.stringContaining('"say"')]);
    expect((await load({ turns: [turns.say("new")] })).status).toBe(200);
    expect(await contentOf(await ask("hi"))).toBe("new");
    const journal = await jsonOf(await fetch(`${server.url}/__journal`));
    expect(journal.requests).toMatchObject([{ number: 1 }, { number: 2, method: "POST" }]);
  });

  it("logs a line a request", async () => {
    const lines: string[] = [];
    await open({ scenario: { turns: [turns.say("hi")] }, log: (line) => lines.push(line) });
    await (await ask("hi")).text();
    await server.idle();
    expect(lines).toEqual([
      expect.stringMatching(/^#1 POST \/v1\/chat\/completions 200, default turn 1, \d+ bytes in \d+ ms$/),
    ]);
  });
});

describe("the end of a script", () => {
  it("is HTTP 500 with the scenario's name, which asks not to be retried", async () => {
    await open({ scenario: { name: "short", turns: [turns.say("only")] } });
    await ask("hi");
    const answer = await ask("hi");
    expect(answer.status).toBe(500);
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expect((await jsonOf(answer)).error?.message).toContain('"short" has no turn for this request: all 1 turns');
    expect(server.problems).toEqual([expect.stringContaining('"short"')]);
  });

  it("is a problem too when a variable is unknown", async () => {
    await open({ scenario: { turns: [turns.say("I am in ${cwd}")] } });
    expect((await ask("hi")).status).toBe(500);
    expect(server.problems[0]).toContain("${cwd}");
  });
});

describe("bulk output", () => {
  it("streams 20,000 tokens whole", async () => {
    await open({ scenario: { turns: [turns.generate(20_000, { text: ["alpha ", "beta\n"] })] } });
    const text = await (await ask("go", { stream: true })).text();
    const events = text
      .split("\n\n")
      .filter((event) => event.includes('"content":"alpha "') || event.includes('"content":"beta\\n"'));
    expect(events.length).toBe(20_000);
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  });

  it("waits for a client that does not read, and holds little in memory meanwhile", async () => {
    await open({ scenario: { turns: [turns.generate(200_000)] } });
    const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "go" }] });
    const socket = connect(server.port, "127.0.0.1");
    socket.pause();
    socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    const record = await server.nextRequest();
    let before = -1;
    // Waits until the kernel's buffers are full and nothing more is accepted.
    while (record.sentBytes !== before) {
      before = record.sentBytes;
      await fetch(`${server.url}/v1/models`);
    }
    expect(record.state).toBe("open");
    expect(record.sentBytes).toBeGreaterThan(0);
    expect(record.sentBytes).toBeLessThan(20_000_000);
    socket.destroy();
    await server.idle();
    expect(record.aborted).toBe(true);
  });

  it("is paced token by token when it is given a rate", () => {
    const reading = readScenario({ turns: [turns.generate(40, { rate: 400 })] });
    const [turn] = reading.ok ? reading.scenario.turns : [];
    if (turn === undefined) throw new Error("The scenario has a turn.");
    const reply = makeReply(turn, { number: 1, model: "m", key: "k", callId: String, requestBytes: 0 });
    const delays = [...generatedFrames(reply, (word) => word)].map((frame) => frame.delayMs);
    expect(delays).toEqual(Array.from({ length: 40 }, () => 2.5));
  });
});

describe("flavours", () => {
  const probes: Record<string, Flavour[]> = {
    "/": ["ollama"],
    "/api/version": ["ollama"],
    "/api/ps": ["ollama"],
    "/api/tags": ["ollama", "llamacpp"],
    "/props": ["llamacpp"],
    "/slots": ["llamacpp"],
    "/health": ["llamacpp", "vllm"],
    "/version": ["vllm"],
    "/api/v0/models": ["lmstudio"],
    "/v1/models": FLAVOURS.filter((flavour) => !["chatgpt", "gemini", "groq", "fireworks", "zai"].includes(flavour)),
  };

  it.each([...FLAVOURS])("%s answers its own endpoints only", async (flavour) => {
    await open({ scenario: {}, flavour });
    for (const [path, owners] of Object.entries(probes)) {
      const answer = await fetch(server.url + path);
      const body = await answer.text();
      if (owners.includes(flavour)) expect([path, answer.status]).toEqual([path, 200]);
      // LM Studio answers 200 to anything, with an error in the body.
      else if (flavour === "lmstudio")
        expect([answer.status, JSON.parse(body)]).toMatchObject([200, { error: /Unexpected/ }]);
      else expect([path, answer.status]).toEqual([path, 404]);
    }
  });

  it("report the window that the model runs with", async () => {
    const scenario = { models: [{ id: "m", contextTokens: 12_288, trainedTokens: 40_960, slots: 2 }] };
    const fetched = async (flavour: Flavour, path: string) => {
      await open({ scenario, flavour });
      const body = await jsonOf(await fetch(server.url + path));
      await server.close();
      return body;
    };
    expect(await fetched("llamacpp", "/props")).toMatchObject({
      default_generation_settings: { n_ctx: 12_288 },
      total_slots: 2,
    });
    expect(await fetched("llamacpp", "/slots")).toMatchObject([{ n_ctx: 12_288 }, { n_ctx: 12_288 }]);
    expect((await fetched("vllm", "/v1/models")).data).toMatchObject([{ id: "m", max_model_len: 12_288 }]);
    expect((await fetched("lmstudio", "/api/v0/models")).data).toMatchObject([
      { state: "loaded", loaded_context_length: 12_288, max_context_length: 40_960 },
    ]);
    expect((await fetched("lmstudio", "/api/v1/models")).models).toMatchObject([
      { key: "m", loaded_instances: [{ config: { context_length: 12_288 } }] },
    ]);
    expect((await fetched("openrouter", "/api/v1/models")).data).toMatchObject([{ id: "m", context_length: 12_288 }]);
  });
});

describe("the environment for harness", () => {
  it.each<[Flavour, string[]]>([
    ["openai", ["OPENAI_BASE_URL=/v1", "OPENAI_API_KEY=test"]],
    ["openrouter", ["OPENROUTER_BASE_URL=/api/v1", "OPENROUTER_API_KEY=test"]],
    ["ollama", ["OLLAMA_HOST="]],
    ["llamacpp", ["LLAMACPP_URL=/v1"]],
  ])("of %s names its variables", async (flavour, expected) => {
    await open({ scenario: {}, flavour });
    const entries = Object.entries(server.environment);
    expect(entries.map(([name, value]) => `${name}=${value.replace(server.url, "")}`)).toEqual(expected);
  });
});

describe("close", () => {
  it("breaks hanging answers, idle connections and waits", async () => {
    await open({ scenario: { turns: [turns.say("x", { fault: { kind: "hang" } })] } });
    const hanging = ask("hi");
    const waiting = server.nextRequest((record) => record.path === "/never");
    await server.hanging();
    const outcome = Promise.allSettled([hanging, waiting]);
    await server.close();
    expect((await outcome).map((result) => result.status)).toEqual(["rejected", "rejected"]);
    await server.close();
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it("is not needed for an answer to a start that fails", async () => {
    await open({ scenario: {} });
    await expect(startModelServer({ scenario: {}, port: server.port })).rejects.toThrow(/is taken/);
    await expect(startModelServer({ scenario: { turns: [{ repeat: 0 }] } })).rejects.toThrow(/turns\[0\]\.repeat/);
  });
});
