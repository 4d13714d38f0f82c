// Byte scripts against a served table: what a peer may send, and what it gets back.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { MemoryStream } from "../../test/memory-stream.ts";
import { notification, request } from "../methods/table.ts";
import { connect, lineChannel } from "./index.ts";

const table = {
  "test/echo": request({
    doc: "Answers with its params.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ text: z.string().default("nothing") }),
    result: z.object({ text: z.string() }),
  }),
  "test/wait": request({
    doc: "Answers when it is cancelled.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ swallow: z.boolean().default(false) }),
    result: z.object({ swallowed: z.boolean() }),
  }),
  "test/nothing": request({
    doc: "Returns nothing.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({}),
    result: z.object({}),
  }),
  "test/note": notification({ doc: "Noted.", params: z.object({ text: z.string() }) }),
};

function serve(options: { maxMessageBytes?: number } = {}) {
  const stream = new MemoryStream();
  const noted: string[] = [];
  const bugs: unknown[] = [];
  const ends: string[] = [];
  const connection = connect({
    channel: lineChannel(stream, { maxMessageBytes: options.maxMessageBytes ?? 1000 }),
    defer: setImmediate,
    serve: {
      table,
      handlers: {
        "test/echo": ({ text }) => ({ text }),
        "test/wait": ({ swallow }, { signal }) =>
          new Promise((resolve, reject) => {
            const settle = () => (swallow ? resolve({ swallowed: true }) : reject(signal.reason));
            signal.addEventListener("abort", settle);
          }),
        "test/nothing": () => undefined,
        "test/note": ({ text }) => noted.push(text),
      },
    },
    call: { table: {} },
    onBug: (error) => bugs.push(error),
    onClose: ({ reason }) => ends.push(reason),
  });
  return { stream, connection, noted, bugs, ends };
}

const call = (id: unknown, method: string, params?: unknown) => ({ jsonrpc: "2.0", id, method, params });
const answer = (id: unknown, result: unknown) => ({ jsonrpc: "2.0", id, result });
const failure = (id: unknown, code: number, data: object) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message: expect.any(String), data: expect.objectContaining(data) },
});
const invalid = (id: unknown, reason: string) => failure(id, -32600, { kind: "invalid_request", reason });
const echoed = answer(99, { text: "still in sync" });

/** Sends the bytes, then a request that proves that the stream is still in sync. */
async function answersTo(bytes: string | Uint8Array, count: number, options?: Parameters<typeof serve>[0]) {
  const { stream } = serve(options);
  stream.receive(bytes);
  stream.receiveMessages(call(99, "test/echo", { text: "still in sync" }));
  return stream.written(count + 1);
}

describe("bad input gets an error object, and the stream stays in sync", () => {
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;
  const parse = failure(null, -32700, { kind: "parse", retryable: false });

  it.each<[string, string | Uint8Array, unknown]>([
    ["invalid JSON", '{"jsonrpc":\n', parse],
    ["half a line, then its end on a line of its own", '{"jsonrpc":"2.0",\n', parse],
    [
      "invalid UTF-8",
      Buffer.concat([Buffer.from('{"id":1,"method":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}\n')]),
      parse,
    ],
    ["an empty batch", line([]), invalid(null, "batch")],
    ["a batch", line([call(1, "test/echo", {})]), invalid(null, "batch")],
    ["a text", line("hello"), invalid(null, "malformed")],
    ["a request without a method", line({ id: 1 }), invalid(1, "malformed")],
    ["id null", line(call(null, "test/echo", {})), invalid(null, "malformed")],
    ["scalar params", line(call(5, "test/echo", 3)), invalid(5, "malformed")],
    ["another jsonrpc", line({ jsonrpc: "1.0", id: 5, method: "test/echo" }), invalid(5, "malformed")],
    ["a line over the limit", `{"x":"${"x".repeat(100_000)}"}\n`, invalid(null, "too_large")],
    [
      "an unknown method",
      line(call(5, "test/none")),
      failure(5, -32601, { kind: "method_not_found", method: "test/none" }),
    ],
    ["toString", line(call(5, "toString")), failure(5, -32601, { kind: "method_not_found" })],
    ["__proto__", line(call(5, "__proto__")), failure(5, -32601, { kind: "method_not_found" })],
    [
      "a notification's name",
      line(call(5, "test/note", { text: "x" })),
      failure(5, -32601, { kind: "method_not_found" }),
    ],
    ["an unknown request under $/", line(call(5, "$/none")), failure(5, -32601, { kind: "method_not_found" })],
    [
      "params that do not fit",
      line(call(5, "test/echo", { text: 3 })),
      failure(5, -32602, { kind: "invalid_params", issues: [{ path: "text", message: expect.any(String) }] }),
    ],
    ["positional params", line(call(5, "test/echo", ["x"])), failure(5, -32602, { kind: "invalid_params" })],
  ])("%s", async (_name, bytes, expected) => {
    const answers = await answersTo(bytes, 1);
    expect(answers).toHaveLength(2);
    expect(answers).toContainEqual(expected);
    expect(answers).toContainEqual(echoed);
  });

  it("unknown notifications, and malformed ones under $/, get no answer", async () => {
    const lines = [
      { method: "test/none", params: {} },
      { method: "$/none" },
      { method: "$/progress", params: { token: 1, value: {} } },
      { method: "$/cancel_request", params: { requestId: 12 } },
      { method: "$/cancel_request", params: {} },
      { method: "$/cancelRequest", params: [] },
      { method: "$/logTrace", params: {} },
      answer(12, {}),
      failure(13, -32603, {}),
    ];
    expect(await answersTo(lines.map(line).join(""), 0)).toEqual([echoed]);
  });
});

describe("valid input is accepted", () => {
  it("a request without params, or without jsonrpc, gets defaults", async () => {
    const { stream } = serve();
    stream.receive('{"id":"a","method":"test/echo"}\n{"jsonrpc":"2.0","id":"b","method":"test/echo","params":null}\n');
    expect(await stream.written(2)).toEqual([answer("a", { text: "nothing" }), answer("b", { text: "nothing" })]);
  });

  it("CRLF ends a line and U+2028 does not, in either direction", async () => {
    const { stream } = serve();
    stream.receive(`${JSON.stringify(call(1, "test/echo", { text: "a\u2028b\u2029" }))}\r\n`);
    await stream.written(1);
    expect(stream.lines[0]).toContain("a\u2028b\u2029");
    expect(stream.messages).toEqual([answer(1, { text: "a\u2028b\u2029" })]);
  });

  it("a request cut at any byte", async () => {
    const bytes = new TextEncoder().encode(`${JSON.stringify(call(1, "test/echo", { text: "grüße 😀 日本" }))}\n`);
    for (let at = 0; at <= bytes.length; at++) {
      const { stream } = serve();
      stream.receive(bytes.subarray(0, at));
      stream.receive(bytes.subarray(at));
      expect(await stream.written(1)).toEqual([answer(1, { text: "grüße 😀 日本" })]);
    }
  });

  it("a handler that returns nothing: the result is {}", async () => {
    const { stream } = serve();
    stream.receiveMessages(call(1, "test/nothing"));
    expect(await stream.written(1)).toEqual([answer(1, {})]);
  });
});

describe("requests in flight", () => {
  it("with an id that is in use are refused, and the first is still answered", async () => {
    const { stream } = serve();
    stream.receiveMessages(call(1, "test/echo", { text: "a" }), call(1, "test/echo", { text: "b" }));
    const answers = await stream.written(2);
    expect(answers).toHaveLength(2);
    expect(answers).toEqual(expect.arrayContaining([invalid(1, "duplicate_id"), answer(1, { text: "a" })]));
    stream.receiveMessages(call(1, "test/echo", { text: "c" }));
    expect((await stream.written(3)).at(-1)).toEqual(answer(1, { text: "c" }));
  });

  it('the ids 1 and "1" are one', async () => {
    const { stream } = serve();
    stream.receiveMessages(call(1, "test/wait"), call("1", "test/wait"));
    expect(await stream.written(1)).toEqual([invalid("1", "duplicate_id")]);
  });

  it("beyond 64 are refused as overloaded, and accepted after one was answered", async () => {
    const { stream } = serve();
    stream.receiveMessages(...Array.from({ length: 65 }, (_, id) => call(id, "test/wait")));
    const overloaded = { kind: "overloaded", retryable: true, maxInFlight: 64 };
    expect(await stream.written(1)).toEqual([failure(64, -32001, overloaded)]);
    stream.receiveMessages({ method: "$/cancel_request", params: { requestId: 1 } });
    await stream.written(2);
    stream.receiveMessages(call(64, "test/echo"));
    expect((await stream.written(3)).at(-1)).toEqual(answer(64, { text: "nothing" }));
  });
});

describe("cancel", () => {
  const cancel = (requestId: number) => ({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } });
  const cancelled = (id: number) => failure(id, -32800, { kind: "cancelled" });

  it("ends a running request; its answer is an error", async () => {
    const { stream, bugs } = serve();
    stream.receiveMessages(call(1, "test/wait"));
    await new Promise(setImmediate);
    stream.receiveMessages(cancel(1));
    expect(await stream.written(1)).toEqual([cancelled(1)]);
    expect(bugs).toEqual([]);
  });

  it("reaches a request that came in the same chunk, which then does not begin", async () => {
    const { stream } = serve();
    stream.receiveMessages(call(1, "test/wait", { swallow: true }), cancel(1));
    expect(await stream.written(1)).toEqual([cancelled(1)]);
  });

  it("has a second name, that of language servers", async () => {
    const { stream } = serve();
    stream.receiveMessages(call(1, "test/wait"), { method: "$/cancelRequest", params: { id: 1 } });
    expect(await stream.written(1)).toEqual([cancelled(1)]);
  });

  it("lets the handler answer with a result", async () => {
    const { stream } = serve();
    stream.receiveMessages(call(1, "test/wait", { swallow: true }));
    await new Promise(setImmediate);
    stream.receiveMessages(cancel(1));
    expect(await stream.written(1)).toEqual([answer(1, { swallowed: true })]);
  });
});

describe("a request", () => {
  it("is handled after what was due before it came, such as the end of a moment in which files are looked at once", async () => {
    const { stream } = serve();
    let answeredBefore: number | undefined;
    setImmediate(() => {
      answeredBefore = stream.messages.length;
    });
    stream.receiveMessages(call(1, "test/echo", { text: "a" }), call(2, "test/echo", { text: "b" }));
    expect(await stream.written(2)).toEqual([answer(1, { text: "a" }), answer(2, { text: "b" })]);
    expect(answeredBefore).toBe(0);
  });
});

describe("the end of the stream", () => {
  it("comes once, after the error for half a line before it", async () => {
    const { stream, ends } = serve();
    stream.receive('{"id":1');
    stream.receiveEnd();
    expect(await stream.written(1)).toEqual([failure(null, -32700, { kind: "parse" })]);
    expect(ends).toEqual(["ended"]);
  });

  it("lets earlier requests be answered until this side closes", async () => {
    const { stream, connection, ends } = serve();
    stream.receiveMessages(call(1, "test/echo", { text: "a" }), call(2, "test/wait"));
    stream.receiveEnd();
    expect(await stream.written(1)).toEqual([answer(1, { text: "a" })]);
    expect(ends).toEqual(["ended"]);
    await connection.close();
    expect(stream.messages).toEqual([answer(1, { text: "a" })]);
  });

  it("can be followed by all answers to a script that closed its end after its last line", async () => {
    const { stream, connection } = serve();
    stream.receiveMessages(call(1, "test/echo", { text: "a" }), call(2, "test/echo", { text: "b" }));
    stream.receiveEnd();
    await connection.idle();
    await connection.close();
    expect(stream.messages).toEqual([answer(1, { text: "a" }), answer(2, { text: "b" })]);
    await connection.idle();
  });

  it("handles no request after this side has closed", async () => {
    const { stream, connection, noted, ends } = serve();
    await connection.close();
    stream.receiveMessages(call(1, "test/echo"), { method: "test/note", params: { text: "late" } });
    await new Promise(setImmediate);
    expect(stream.writes).toEqual([]);
    expect(noted).toEqual([]);
    expect(stream.isEnded).toBe(true);
    expect(ends).toEqual(["closed"]);
  });
});
