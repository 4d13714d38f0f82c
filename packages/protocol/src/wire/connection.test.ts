// Two connections over a linked pair: calls, their ends, and the end of the connection.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { MemoryStream } from "../../test/memory-stream.ts";
import type { Handlers } from "../methods/table.ts";
import { notification, request } from "../methods/table.ts";
import { ProtocolError, protocolError } from "../vocabulary/errors.ts";
import { type Connection, type ConnectionEnd, type ConnectOptions, connect } from "./connection.ts";
import { lineChannel, linkedPair } from "./index.ts";

const serverTable = {
  "session/new": request({
    doc: "Makes a session.",
    lane: "global",
    idempotent: false,
    access: "read",
    params: z.object({ title: z.string().default("untitled") }),
    result: z.object({ title: z.string() }),
  }),
  "session/wait": request({
    doc: "Waits until it is cancelled.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({}),
    result: z.object({}),
  }),
  "session/cancel": notification({ doc: "Cancels.", params: z.object({ sessionId: z.string() }) }),
};
const clientTable = {
  "session/ask": request({
    doc: "Asks a person.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ question: z.string() }),
    result: z.object({ answer: z.string() }),
  }),
  "session/update": notification({ doc: "Something happened.", params: z.object({ text: z.string() }) }),
};
type Server = typeof serverTable;
type Client = typeof clientTable;

const serverHandlers: Handlers<Server> = {
  "session/new": ({ title }) => ({ title }),
  "session/wait": (_params, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  "session/cancel": () => undefined,
};
const clientHandlers: Handlers<Client> = {
  "session/ask": ({ question }) => ({ answer: `${question}!` }),
  "session/update": () => undefined,
};

/** A connection with a record of what it reported. */
function recorded<S extends typeof serverTable | typeof clientTable, C extends typeof serverTable | typeof clientTable>(
  options: Omit<ConnectOptions<S, C>, "defer" | "onBug" | "onClose">,
) {
  const bugs: unknown[] = [];
  const ends: ConnectionEnd[] = [];
  const connection = connect<S, C>({
    defer: setImmediate,
    onBug: (error) => bugs.push(error),
    onClose: (end) => ends.push(end),
    ...options,
  });
  return { connection, bugs, ends };
}

function linked(
  options: { server?: Partial<ConnectOptions<Server, Client>>; client?: Partial<ConnectOptions<Client, Server>> } = {},
) {
  const [near, far] = linkedPair();
  const server = recorded<Server, Client>({
    channel: near,
    serve: { table: serverTable, handlers: serverHandlers },
    call: { table: clientTable },
    ...options.server,
  });
  const client = recorded<Client, Server>({
    channel: far,
    serve: { table: clientTable, handlers: clientHandlers },
    call: { table: serverTable },
    ...options.client,
  });
  return { server, client };
}

/** A client whose peer is played by the test. */
function scripted(options: Partial<ConnectOptions<Client, Server>> = {}) {
  const stream = new MemoryStream();
  const client = recorded<Client, Server>({
    channel: lineChannel(stream),
    serve: { table: clientTable, handlers: clientHandlers },
    call: { table: serverTable },
    ...options,
  });
  return { stream, ...client };
}

const nextTurn = () => new Promise(setImmediate);

describe("call", () => {
  it("works in both directions, with the defaults of the params", async () => {
    const { server, client } = linked();
    expect(await client.connection.call("session/new", {})).toEqual({ title: "untitled" });
    expect(await server.connection.call("session/ask", { question: "Why" })).toEqual({ answer: "Why!" });
  });

  it("rejects with the peer's error unchanged", async () => {
    const failing = {
      ...serverHandlers,
      "session/new": () => Promise.reject(protocolError("conflict", "Busy.", { version: 3 })),
    };
    const { client } = linked({ server: { serve: { table: serverTable, handlers: failing } } });
    const error = await client.connection.call("session/new", {}).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({ kind: "conflict", message: "Busy.", data: { version: 3, retryable: false } });
  });

  it("rejects params without a JSON form", async () => {
    const { client } = linked();
    const wrong = { title: 1n } as unknown as { title: string };
    await expect(client.connection.call("session/new", wrong)).rejects.toMatchObject({ kind: "invalid_params" });
    expect(await client.connection.call("session/new", {})).toEqual({ title: "untitled" });
  });

  it("rejects a result that does not fit, unless the peer is trusted", async () => {
    for (const trustPeer of [false, true]) {
      const { stream, connection } = scripted({ trustPeer });
      const result = connection.call("session/new", {});
      await stream.written(1);
      stream.receiveMessages({ jsonrpc: "2.0", id: 0, result: { title: 3 } });
      if (trustPeer) await expect(result).resolves.toEqual({ title: 3 });
      else await expect(result).rejects.toMatchObject({ kind: "invalid_result", data: { method: "session/new" } });
    }
  });

  it.each<[string, object, string]>([
    ["an error without its members", { error: "no" }, "internal"],
    ["an error that is null and no result", { error: null }, "internal"],
    ["an error of another program", { error: { code: -32601, message: "no" } }, "method_not_found"],
  ])("settles on %s", async (_name, answer, kind) => {
    const { stream, connection } = scripted();
    const result = connection.call("session/new", {});
    await stream.written(1);
    stream.receiveMessages({ jsonrpc: "2.0", id: 0, ...answer });
    await expect(result).rejects.toMatchObject({ kind });
  });

  it("writes an id, jsonrpc and params in every request", async () => {
    const { stream, connection } = scripted();
    const results = [connection.call("session/new", { title: "a" }), connection.call("session/new", {})];
    expect(await stream.written(2)).toEqual([
      { jsonrpc: "2.0", id: 0, method: "session/new", params: { title: "a" } },
      { jsonrpc: "2.0", id: 1, method: "session/new", params: {} },
    ]);
    stream.receiveMessages({ id: 1, result: { title: "second" } }, { id: 0, result: { title: "first" } });
    expect(await Promise.all(results)).toEqual([{ title: "first" }, { title: "second" }]);
  });

  it("is settled, with the code that awaits it, before the next message is handled", async () => {
    const seen: string[] = [];
    const { stream, connection } = scripted({
      serve: { table: clientTable, handlers: { ...clientHandlers, "session/update": ({ text }) => seen.push(text) } },
    });
    const wrapped = async () => (await connection.call("session/new", {})).title;
    const outer = (async () => seen.push(await wrapped()))();
    await stream.written(1);
    const update = { jsonrpc: "2.0", method: "session/update", params: { text: "update" } };
    stream.receiveMessages(update, { jsonrpc: "2.0", id: 0, result: { title: "answer" } }, update);
    await outer;
    await nextTurn();
    expect(seen).toEqual(["update", "answer", "update"]);
  });
});

describe("cancelling a call", () => {
  it("sends $/cancel_request and waits for the peer's answer", async () => {
    const { stream, connection } = scripted();
    const cancel = new AbortController();
    const result = connection.call("session/wait", {}, { signal: cancel.signal });
    await stream.written(1);
    cancel.abort();
    expect((await stream.written(2))[1]).toEqual({
      jsonrpc: "2.0",
      method: "$/cancel_request",
      params: { requestId: 0 },
    });
    stream.receiveMessages({ jsonrpc: "2.0", id: 0, result: {} });
    await expect(result).resolves.toEqual({});
  });

  it("aborts the handler at the other side, in both directions", async () => {
    const asking: Handlers<Client> = {
      ...clientHandlers,
      "session/ask": (_params, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    };
    const { server, client } = linked({ client: { serve: { table: clientTable, handlers: asking } } });
    const cancel = new AbortController();
    const waiting = [
      client.connection.call("session/wait", {}, { signal: cancel.signal }),
      server.connection.call("session/ask", { question: "?" }, { signal: cancel.signal }),
    ];
    await nextTurn();
    cancel.abort();
    for (const result of waiting) await expect(result).rejects.toMatchObject({ kind: "cancelled" });
    expect([...server.bugs, ...client.bugs]).toEqual([]);
  });

  it("sends nothing when it was cancelled before", async () => {
    const { stream, connection } = scripted();
    await expect(connection.call("session/wait", {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      kind: "cancelled",
    });
    await nextTurn();
    expect(stream.writes).toEqual([]);
  });
});

describe("notify", () => {
  it("never throws: params without a JSON form are a bug", async () => {
    const { stream, connection, bugs } = scripted();
    connection.notify("session/cancel", { sessionId: 1n as unknown as string });
    expect(bugs).toHaveLength(1);
    await nextTurn();
    expect(stream.writes).toEqual([]);
  });

  it("calls onLagged with the number of dropped ones once the peer has caught up", async () => {
    const stream = new MemoryStream();
    const lagged = Promise.withResolvers<number>();
    const { connection } = recorded<Server, Client>({
      channel: lineChannel(stream, { maxQueuedMessages: 5 }),
      serve: { table: serverTable, handlers: serverHandlers },
      call: { table: clientTable },
      onLagged: (dropped) => lagged.resolve(dropped),
    });
    stream.stall();
    connection.notify("session/update", { text: "first" });
    await stream.written(1);
    for (let i = 0; i < 8; i++) connection.notify("session/update", { text: "delta" }, { droppable: true });
    connection.notify("session/update", { text: "fact" });
    stream.resume();
    expect(await lagged.promise).toBe(3);
    expect(stream.messages).toHaveLength(7);
    expect(stream.messages.at(-1)).toMatchObject({ params: { text: "fact" } });
  });

  it("carries 20,000 deltas over a linked pair, each copied", async () => {
    const seen: string[] = [];
    const { server, client } = linked({
      client: {
        trustPeer: true,
        serve: { table: clientTable, handlers: { ...clientHandlers, "session/update": ({ text }) => seen.push(text) } },
      },
    });
    const params = { text: "" };
    for (let i = 0; i < 20_000; i++) {
      params.text = String(i);
      server.connection.notify("session/update", params, { droppable: true });
    }
    await nextTurn();
    expect(seen).toEqual(Array.from({ length: 20_000 }, (_, i) => String(i)));
    expect(client.bugs).toEqual([]);
  });
});

describe("the end of a connection", () => {
  const closed = { kind: "closed", data: { retryable: true } };

  it.each<[ConnectionEnd["reason"], (stream: MemoryStream, connection: Connection<Server>) => void]>([
    ["ended", (stream) => stream.receiveEnd()],
    ["failed", (stream) => stream.fail(new Error("write EPIPE"))],
    ["closed", (_stream, connection) => connection.close()],
    ["closed", (_stream, connection) => connection.destroy()],
  ])(
    "%s: rejects the calls that wait, is reported once, and aborts handlers when no answer can go out",
    async (reason, end) => {
      let aborted = 0;
      const asking: Handlers<Client> = {
        ...clientHandlers,
        "session/ask": (_params, { signal }) =>
          new Promise((resolve) =>
            signal.addEventListener("abort", () => {
              aborted++;
              resolve({ answer: "too late" });
            }),
          ),
      };
      const { stream, connection, ends, bugs } = scripted({ serve: { table: clientTable, handlers: asking } });
      const results = [connection.call("session/new", {}), connection.call("session/wait", {})];
      stream.receiveMessages({ jsonrpc: "2.0", id: 1, method: "session/ask", params: { question: "?" } });
      await nextTurn();
      end(stream, connection);
      for (const result of results) await expect(result).rejects.toMatchObject(closed);
      expect(aborted).toBe(reason === "ended" ? 0 : 1);
      stream.receiveEnd();
      stream.fail(new Error("again"));
      await connection.close();
      connection.destroy();
      expect(aborted).toBe(1);
      expect(ends.map((told) => told.reason)).toEqual([reason]);
      await expect(connection.call("session/new", {})).rejects.toMatchObject(closed);
      connection.notify("session/cancel", { sessionId: "s" });
      await nextTurn();
      expect(stream.isDestroyed).toBe(true);
      expect(bugs).toEqual([]);
    },
  );

  it("has the error of a failure", () => {
    const { stream, ends } = scripted();
    const error = new Error("read ECONNRESET");
    stream.fail(error);
    expect(ends).toEqual([{ reason: "failed", error }]);
  });

  it("lets answers and updates go out after the peer has ended, until the close", async () => {
    const { stream, connection } = scripted();
    stream.receiveMessages({ jsonrpc: "2.0", id: 1, method: "session/ask", params: { question: "Q" } });
    stream.receiveEnd();
    connection.notify("session/cancel", { sessionId: "s" });
    await nextTurn();
    await connection.close();
    expect(stream.messages).toContainEqual({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } });
    expect(stream.messages).toContainEqual(expect.objectContaining({ id: 1 }));
    expect(stream.isEnded).toBe(true);
  });

  it("comes after queued messages", async () => {
    const { server, client } = linked();
    const seen = server.connection.call("session/ask", { question: "Q" });
    server.connection.notify("session/update", { text: "last words" });
    await server.connection.close();
    await expect(seen).rejects.toMatchObject(closed);
    await nextTurn();
    expect(client.ends).toEqual([{ reason: "ended" }]);
  });

  it("survives callbacks that throw, and reports them", async () => {
    const { stream, connection, bugs } = scripted({
      onClose: () => {
        throw new Error("bug");
      },
    });
    stream.receiveEnd();
    await expect(connection.call("session/new", {})).rejects.toMatchObject(closed);
    expect(bugs).toMatchObject([{ message: "bug" }]);
  });

  it("is not caused by a peer's complaint about a line, which is reported", async () => {
    const { stream, bugs } = scripted();
    stream.receiveMessages({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "What was that?" } });
    expect(bugs).toMatchObject([{ kind: "parse", message: "What was that?" }]);
  });
});
