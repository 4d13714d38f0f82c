import { connect } from "node:net";
import OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";
import type { Flavour } from "../flavours/flavour.ts";
import { type ModelServer, startModelServer } from "../server.ts";
import type { TurnInput } from "../story/scenario.ts";
import { turns } from "../story/turns.ts";

let server: ModelServer;
afterEach(() => server.close());

async function open(list: TurnInput[], flavour: Flavour = "openai"): Promise<void> {
  server = await startModelServer({ scenario: { name: "faults", turns: list }, flavour });
}

const request = { model: "m", stream: true, messages: [{ role: "user", content: "go" }] };

function post(path = "/v1/chat/completions", body: unknown = request): Promise<Response> {
  return fetch(server.url + path, { method: "POST", body: JSON.stringify(body) });
}

interface RawAnswer {
  bytes: Buffer;
  error: string | undefined;
}

/** Everything that arrives over a bare socket until the other side ends it. */
function raw(body: unknown = request, path = "/v1/chat/completions"): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const text = JSON.stringify(body);
    const chunks: Buffer[] = [];
    let error: string | undefined;
    const socket = connect(server.port, "127.0.0.1");
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", (problem: NodeJS.ErrnoException) => {
      error = problem.code;
    });
    socket.on("close", () => resolve({ bytes: Buffer.concat(chunks), error }));
  });
}

/** The body of a chunked response, as far as it arrived. */
function bodyOf(answer: RawAnswer): Buffer {
  const start = answer.bytes.indexOf("\r\n\r\n") + 4;
  const parts: Buffer[] = [];
  for (let at = start; at < answer.bytes.length; ) {
    const lineEnd = answer.bytes.indexOf("\r\n", at);
    const size = Number.parseInt(answer.bytes.subarray(at, lineEnd).toString(), 16);
    parts.push(answer.bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

const dataLines = (body: Buffer): string[] =>
  body
    .toString()
    .split("\n")
    .filter((line) => line.startsWith("data:"));

/** The response as the real client reads it. */
async function readWithClient(): Promise<string> {
  const client = new OpenAI({ baseURL: server.baseUrl, apiKey: "test", maxRetries: 0 });
  let text = "";
  const stream = await client.chat.completions.create({
    model: "m",
    messages: [{ role: "user", content: "go" }],
    stream: true,
  });
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
  return text;
}

describe("a status fault", () => {
  it.each(["2", "0", "-5", "1000000000", "abc", "Wed, 21 Oct 2026 07:28:00 GMT"])(
    "carries Retry-After: %s",
    async (value) => {
      await open([turns.fail({ kind: "status", status: 429, retryAfter: value })]);
      const answer = await post();
      expect(answer.status).toBe(429);
      expect(answer.headers.get("retry-after")).toBe(value);
      expect(await answer.json()).toMatchObject({ error: { code: "rate_limit_exceeded" } });
    },
  );

  it("is an HTML page for 502, nothing for 413, and whatever is given otherwise", async () => {
    await open([
      turns.fail({ kind: "status", status: 502 }),
      turns.fail({ kind: "status", status: 413 }),
      turns.fail({ kind: "status", status: 200, body: { error: { message: "upstream is gone" } } }),
    ]);
    const [gateway, tooLarge, wrongOk] = [await post(), await post(), await post()];
    expect([gateway.status, gateway.headers.get("content-type")]).toEqual([502, "text/html"]);
    expect(await gateway.text()).toContain("<h1>502 Bad Gateway</h1>");
    expect([tooLarge.status, await tooLarge.text()]).toEqual([413, ""]);
    expect([wrongOk.status, await wrongOk.json()]).toEqual([200, { error: { message: "upstream is gone" } }]);
  });

  it("strikes as often as the scenario says, then the same turn is played", async () => {
    await open([turns.say("at last", { fault: { kind: "status", status: 500, times: 2 } }), turns.say("next")]);
    expect([(await post()).status, (await post()).status]).toEqual([500, 500]);
    expect(await readWithClient()).toBe("at last");
    expect(await readWithClient()).toBe("next");
    expect(server.requests.map((record) => [record.turnIndex, record.attempt, record.fault])).toEqual([
      [0, 1, "status"],
      [0, 2, "status"],
      [0, 3, undefined],
      [1, 1, undefined],
    ]);
  });

  it.each<[Flavour, RegExp]>([
    ["openai", /maximum context length is 128000 tokens/],
    ["openrouter", /maximum context length is 200000 tokens/],
    ["llamacpp", /exceeds the available context size \(8192 tokens\)/],
    ["lmstudio", /greater than the context length/],
    ["vllm", /maximum context length is 8192 tokens/],
    ["ollama", /prompt too long/],
  ])("words an overflow as %s does", async (flavour, words) => {
    await open([turns.fail({ kind: "overflow" })], flavour);
    const answer = await post(flavour === "ollama" ? "/api/chat" : undefined);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toMatch(words);
  });
});

describe("a broken connection", () => {
  it("is reset before the headers, and the retry gets the turn", async () => {
    await open([turns.say("hello", { fault: { kind: "reset" } })]);
    expect(await raw()).toEqual({ bytes: Buffer.alloc(0), error: "ECONNRESET" });
    expect(await readWithClient()).toBe("hello");
  });

  it.each([0, 1, 100, 333])("is reset after exactly %d bytes of the body", async (bytes) => {
    await open([turns.say("a longer answer than that", { fault: { kind: "disconnect", afterBytes: bytes } })]);
    const answer = await raw();
    expect(answer.error).toBe("ECONNRESET");
    expect(bodyOf(answer).length).toBe(bytes);
    expect(server.requests[0]).toMatchObject({ sentBytes: bytes, aborted: false, fault: "disconnect" });
  });

  it("is cut inside a call's arguments, after so many events", async () => {
    const fault = { kind: "disconnect", afterEvents: 4, how: "close" } as const;
    await open([turns.call("write", { content: "0123456789" }, { chunk: { size: 4 }, fault })]);
    const answer = await raw();
    expect(answer.error).toBeUndefined();
    const parts = dataLines(bodyOf(answer)).map((line) => JSON.parse(line.slice(6)).choices[0].delta.tool_calls?.[0]);
    expect(parts.map((part) => part?.function.arguments)).toEqual([undefined, "", '{"co', "nten"]);
    expect(answer.bytes.toString().endsWith("0\r\n\r\n")).toBe(false);
  });

  it("makes the client throw, and the second try gives the whole text once", async () => {
    await open([
      turns.say("one two three four five six", { chunk: { size: 4 }, fault: { kind: "disconnect", afterEvents: 4 } }),
    ]);
    await expect(readWithClient()).rejects.toThrow();
    expect(await readWithClient()).toBe("one two three four five six");
  });
});

describe("a hanging answer", () => {
  it("says nothing before the headers until it is released, and the turn is then used up", async () => {
    await open([turns.say("awake", { fault: { kind: "hang" } }), turns.say("next")]);
    const answer = post();
    const record = await server.hanging();
    expect(record).toMatchObject({ state: "hanging", fault: "hang", sentBytes: 0 });
    expect(record.status).toBeUndefined();
    server.release();
    expect(dataLines(Buffer.from(await (await answer).text())).join()).toContain("awake");
    expect(await readWithClient()).toBe("next");
  });

  it("stops in mid-stream, goes on for another process's POST /__release", async () => {
    await open([turns.say("before after", { chunk: { size: 6 }, fault: { kind: "hang", afterEvents: 2 } })]);
    const answer = await post();
    await server.hanging();
    expect(server.requests[0]?.sentBytes).toBeGreaterThan(100);
    await fetch(`${server.url}/__release`, { method: "POST" });
    expect(await answer.text()).toMatch(/"before"[\s\S]*" after"/);
  });

  it("ends when the client leaves, which the journal shows", async () => {
    await open([turns.say("never", { fault: { kind: "hang", times: "always" } })]);
    const leave = new AbortController();
    const answer = fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      body: JSON.stringify(request),
      signal: leave.signal,
    });
    await server.hanging();
    leave.abort();
    await expect(answer).rejects.toThrow();
    await server.idle();
    expect(server.requests[0]).toMatchObject({ state: "done", aborted: true });
  });

  it("can keep the line busy with pings", async () => {
    await open([turns.say("here", { fault: { kind: "hang", pingEveryMs: 1 } })]);
    const answer = await post();
    const reader = answer.body?.getReader();
    let text = "";
    while (text.split(": ping\n\n").length < 4) text += new TextDecoder().decode((await reader?.read())?.value);
    expect(text).toMatch(/^(: ping\n\n)+$/);
    server.release();
    await reader?.cancel();
  });
});

describe("a damaged stream", () => {
  it("has an event that is not JSON and ends there, or goes on", async () => {
    const fault = { kind: "malformedChunk", afterEvents: 2 } as const;
    await open([
      turns.say("abc", { fault }),
      turns.say("def", { fault: { ...fault, rest: "continue" } }),
      turns.say("end"),
    ]);
    const ended = dataLines(bodyOf(await raw()));
    expect(ended.length).toBe(3);
    expect(() => JSON.parse(ended[2]?.slice(6) ?? "")).toThrow(SyntaxError);
    expect(await readWithClient()).toBe("abc");
    const whole = dataLines(bodyOf(await raw()));
    expect(whole.at(-1)).toBe("data: [DONE]");
    expect(await readWithClient()).toBe("end");
  });

  it("ends in order without finish reason, usage and [DONE]", async () => {
    await open([turns.say("half a", { fault: { kind: "unfinished" } })]);
    const answer = await raw({ ...request, stream_options: { include_usage: true } });
    const events = dataLines(bodyOf(answer)).map((line) => JSON.parse(line.slice(6)));
    expect(answer.error).toBeUndefined();
    expect(answer.bytes.toString().endsWith("0\r\n\r\n")).toBe(true);
    expect(events.every((event) => event.choices[0].finish_reason === null)).toBe(true);
  });

  it("ends in order without the last line in NDJSON", async () => {
    await open([turns.say("half a", { fault: { kind: "unfinished" } })], "ollama");
    const lines = bodyOf(await raw(request, "/api/chat"))
      .toString()
      .trim()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line).done)).toEqual([false]);
  });

  it("has arguments that stop short though the stream ends well, then the whole call", async () => {
    await open([turns.call("write", { file_path: "/a" }, { fault: { kind: "cutArguments", keepCharacters: 9 } })]);
    const cut = bodyOf(await raw()).toString();
    expect(cut).toContain('"finish_reason":"tool_calls"');
    expect(cut).toContain(String.raw`"arguments":"{\"file_pa"`);
    expect(bodyOf(await raw()).toString()).toContain(String.raw`{\"file_path\":`);
  });

  it.each([
    ["malformedChunk", /^\{"id"/],
    ["unfinished", /^\{"id":"chatcmpl-1","object"/],
    ["streamError", /^\{"error":/],
  ] as const)("reaches an answer in one piece too: %s", async (kind, words) => {
    await open([turns.say("abc", { fault: { kind } })]);
    const text = await (await post(undefined, { ...request, stream: false })).text();
    expect(text).toMatch(words);
    expect(text).not.toContain("usage");
  });
});

describe("an odd but lawful stream", () => {
  const text = 'Grüße, 世界 🎉: {"a": [1, 2]}\nnext line';

  it.each<[string, NonNullable<TurnInput["wire"]>]>([
    ["CRLF", { crlf: true }],
    ["no space after data:", { noSpace: true }],
    ["pings between the events", { pings: true }],
    ["an empty choices chunk", { emptyChoices: true }],
    ["null content", { nullContent: true }],
    ["JSON over two lines", { multiLine: true }],
    ["no [DONE]", { noDone: true }],
    ...[1, 2, 3, 4, 5, 6, 7].map((splitBytes): [string, { splitBytes: number }] => [
      `${splitBytes} bytes a write`,
      { splitBytes },
    ]),
    ["all of it", { crlf: true, noSpace: true, pings: true, emptyChoices: true, nullContent: true, splitBytes: 3 }],
  ])("reads the same with %s", async (_name, wire) => {
    await open([turns.say(text, { wire, chunk: { size: 7 } })]);
    expect(await readWithClient()).toBe(text);
  });

  it("looks as asked on the wire", async () => {
    await open([
      turns.say("x", { wire: { crlf: true, noSpace: true, pings: true, bom: true, unknownEvents: true } }),
      turns.say("x", { wire: { splitBytes: 2 } }),
    ]);
    const odd = bodyOf(await raw()).toString();
    expect(odd.startsWith("\uFEFF: ping\r\n\r\nevent: telemetry\r\ndata:{")).toBe(true);
    expect(odd.replaceAll("\r\n", "")).not.toContain("\n");
    const split = await raw();
    expect(split.bytes.toString("latin1")).toContain("\r\n2\r\nda\r\n2\r\nta\r\n");
  });

  it("leaves usage out, or reports it negative or null", async () => {
    await open([
      turns.say("x", { usage: "missing" }),
      turns.say("x", { usage: { inputTokens: -1, outputTokens: null } }),
    ]);
    const asked = { ...request, stream_options: { include_usage: true } };
    expect(bodyOf(await raw(asked)).toString()).not.toContain("prompt_tokens");
    expect(bodyOf(await raw(asked)).toString()).toContain(
      '"prompt_tokens":-1,"completion_tokens":null,"total_tokens":null',
    );
  });
});
