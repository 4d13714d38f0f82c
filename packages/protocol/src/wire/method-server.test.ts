// Handlers: their input, their queueing, and the consequences of their mistakes.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { MemoryStream } from "../../test/memory-stream.ts";
import type { HandlerContext, Handlers } from "../methods/table.ts";
import { notification, request } from "../methods/table.ts";
import { protocolError } from "../vocabulary/errors.ts";
import { type ConnectOptions, connect } from "./connection.ts";
import { lineChannel, RequestQueue } from "./index.ts";

const inSession = z.object({ sessionId: z.string(), name: z.string() });
const row = {
  doc: "For the test.",
  idempotent: true,
  access: "read" as const,
  result: z.object({ said: z.string().optional() }),
};
const table = {
  "test/session": request({ ...row, lane: "session", params: inSession }),
  "test/global": request({ ...row, lane: "global", params: inSession }),
  "test/free": request({ ...row, lane: "free", params: inSession }),
  "test/note": notification({ doc: "For the test.", params: inSession }),
};
const updates = { "test/update": notification({ doc: "For the test.", params: z.object({ text: z.string() }) }) };
type Notify = (text: string) => void;
type Work = (params: z.infer<typeof inSession>, context: HandlerContext, notify: Notify) => unknown;

type Options = Partial<ConnectOptions<typeof table, typeof updates>>;

const noContext: HandlerContext = {
  signal: new AbortController().signal,
  afterReply: () => undefined,
  leaveLane: () => undefined,
};

/** A served table whose every handler does `work`. */
function serve(work: Work, options: Options = {}) {
  const stream = new MemoryStream();
  const bugs: Array<{ error: unknown; errorId: string; method: string }> = [];
  const notify = (text: string) => connection.notify("test/update", { text });
  const run = ((params, context) => work(params, context, notify)) as Handlers<typeof table>["test/free"];
  const connection = connect<typeof table, typeof updates>({
    channel: lineChannel(stream),
    defer: setImmediate,
    serve: {
      table,
      handlers: {
        "test/session": run,
        "test/global": run,
        "test/free": run,
        "test/note": (params) => work(params, noContext, notify) as undefined,
      },
    },
    call: { table: updates },
    onBug: (error, errorId, method) => bugs.push({ error, errorId, method }),
    ...options,
  });
  return { stream, bugs, connection };
}

const call = (id: number, method: string, name = `${id}`, sessionId = "s") => ({
  jsonrpc: "2.0",
  id,
  method,
  params: { sessionId, name },
});
const note = (name: string) => ({ jsonrpc: "2.0", method: "test/note", params: { sessionId: "s", name } });
const cancel = (requestId: number) => ({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } });
const answer = (id: number, result: unknown = {}) => ({ jsonrpc: "2.0", id, result });
const failure = (id: number, code: number, message: unknown, data: object) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message, data },
});

/** The errorId of the first answer. */
const idOf = ({ messages: [first] }: MemoryStream): string =>
  (first as { error: { data: { errorId: string } } }).error.data.errorId;

/** Handlers that begin and then wait for a release. */
function gatedWork() {
  const begun: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<object>>();
  const work: Work = ({ name }) => {
    begun.push(name);
    const gate = Promise.withResolvers<object>();
    gates.set(name, gate);
    return gate.promise;
  };
  return { begun, work, finish: (name: string) => gates.get(name)?.resolve({}) };
}

describe("a handler that fails", () => {
  const internal = failure(1, -32603, expect.not.stringContaining("secret"), {
    kind: "internal",
    retryable: false,
    errorId: expect.stringMatching(/^[0-9a-z]{8}$/),
  });

  it.each<[string, Work]>([
    [
      "throws",
      () => {
        throw new Error("secret path /home/me");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("secret path /home/me");
      },
    ],
    [
      "throws something that is not an error",
      () => {
        throw "secret";
      },
    ],
    [
      "throws nothing",
      () => {
        throw undefined;
      },
    ],
    [
      "rejects with an AbortError of its own making",
      async () => {
        throw new DOMException("secret", "AbortError");
      },
    ],
  ])("%s: the peer gets an errorId, the bug goes to onBug", async (_name, work) => {
    const { stream, bugs } = serve(work);
    stream.receiveMessages(call(1, "test/free"));
    expect(await stream.written(1)).toEqual([internal]);
    expect(stream.lines[0]).not.toContain("serving.test");
    expect(bugs).toMatchObject([{ errorId: idOf(stream), method: "test/free" }]);
  });

  it("answers with a ProtocolError that it throws, which is not a bug", async () => {
    const { stream, bugs } = serve(() => {
      throw protocolError("not_found", "There is no session s.", { what: "session", id: "s" });
    });
    stream.receiveMessages(call(1, "test/free"));
    const data = { kind: "not_found", retryable: false, what: "session", id: "s" };
    expect(await stream.written(1)).toEqual([failure(1, -32002, "There is no session s.", data)]);
    expect(bugs).toEqual([]);
  });

  it("answers with an internal error when its result has no JSON form", async () => {
    const { stream, bugs } = serve(() => ({ said: 1n }));
    stream.receiveMessages(call(1, "test/free"));
    expect(await stream.written(1)).toEqual([internal]);
    expect(bugs).toHaveLength(1);
  });

  it("answers cancelled after a cancel, and reports only a true bug", async () => {
    const fail = Promise.withResolvers<object>();
    const { stream, bugs } = serve(({ name }, { signal }) => {
      if (name === "2") return fail.promise;
      return new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError"))),
      );
    });
    stream.receiveMessages(call(1, "test/free"), call(2, "test/free"));
    await new Promise(setImmediate);
    stream.receiveMessages(cancel(1), cancel(2));
    const cancelled = (id: number) => failure(id, -32800, expect.any(String), { kind: "cancelled", retryable: false });
    expect(await stream.written(1)).toEqual([cancelled(1)]);
    expect(bugs).toEqual([]);
    fail.reject(new Error("a bug while cleaning up"));
    expect((await stream.written(2)).at(-1)).toEqual(cancelled(2));
    expect(bugs).toHaveLength(1);
  });

  it("answers also when the reporter of bugs fails", async () => {
    const { stream } = serve(
      () => {
        throw new Error("secret");
      },
      {
        onBug: () => {
          throw new Error("secret");
        },
      },
    );
    stream.receiveMessages(call(1, "test/free"));
    expect(await stream.written(1)).toEqual([internal]);
  });
});

describe("the lanes of requests", () => {
  it("keep requests of a session in order, and let other sessions and free ones pass", async () => {
    const { begun, work, finish } = gatedWork();
    const { stream } = serve(work);
    stream.receiveMessages(
      call(1, "test/session", "a1", "a"),
      call(2, "test/session", "a2", "a"),
      call(3, "test/session", "b1", "b"),
      call(4, "test/global", "g1"),
      call(5, "test/global", "g2"),
      call(6, "test/free", "free", "a"),
    );
    finish("free");
    await new Promise(setImmediate);
    expect(begun.toSorted()).toEqual(["a1", "b1", "free", "g1"]);
    finish("a1");
    expect(await stream.written(1)).toEqual([answer(1)]);
    await new Promise(setImmediate);
    expect(begun.at(-1)).toBe("a2");
    expect(begun).not.toContain("g2");
  });

  it("are shared by connections that are given the same ones", async () => {
    const queue = new RequestQueue();
    const { begun, work, finish } = gatedWork();
    const one = serve(work, { queue });
    const other = serve(work, { queue });
    one.stream.receiveMessages(call(1, "test/session", "one"));
    other.stream.receiveMessages(call(1, "test/session", "other"));
    await new Promise(setImmediate);
    expect(begun).toEqual(["one"]);
    one.stream.fail(new Error("gone"));
    finish("one");
    await new Promise(setImmediate);
    expect(begun).toEqual(["one", "other"]);
  });

  it("answer a cancelled request that still waits, without running it", async () => {
    const { begun, work, finish } = gatedWork();
    const { stream } = serve(work);
    stream.receiveMessages(call(1, "test/session"), call(2, "test/session"), call(3, "test/session"), cancel(2));
    expect(await stream.written(1)).toEqual([
      failure(2, -32800, expect.any(String), { kind: "cancelled", retryable: false }),
    ]);
    finish("1");
    await stream.written(2);
    await new Promise(setImmediate);
    expect(begun).toEqual(["1", "3"]);
  });

  it("begin before the answer to one that has left the lane", async () => {
    const { stream } = serve(({ name }, { leaveLane }) => {
      if (name !== "long") return {};
      leaveLane();
      return new Promise(() => undefined);
    });
    stream.receiveMessages(call(1, "test/session", "long"), call(2, "test/session"));
    expect(await stream.written(1)).toEqual([answer(2)]);
  });

  it("go on after a handler that failed", async () => {
    const { stream } = serve(({ name }) => {
      if (name === "1") throw new Error("bug");
      return {};
    });
    stream.receiveMessages(call(1, "test/session"), call(2, "test/session"));
    expect((await stream.written(2)).at(-1)).toEqual(answer(2));
  });
});

describe("a notification that a handler sends", () => {
  const update = (text: string) => ({ jsonrpc: "2.0", method: "test/update", params: { text } });

  it("precedes the answer when it is sent at once, and follows it from afterReply, before the next request of the lane", async () => {
    const { stream } = serve(({ name }, { afterReply }, notify) => {
      notify(`before ${name}`);
      afterReply(() => notify(`after ${name}`));
      afterReply(() => notify(`last ${name}`));
    });
    stream.receiveMessages(call(1, "test/session"), call(2, "test/session"));
    expect(await stream.written(8)).toEqual(
      [1, 2].flatMap((id) => [update(`before ${id}`), answer(id), update(`after ${id}`), update(`last ${id}`)]),
    );
  });

  it("follows the error from afterReply when the request fails", async () => {
    const { stream } = serve((_params, { afterReply }, notify) => {
      afterReply(() => notify("after"));
      throw protocolError("conflict", "No.", {});
    });
    stream.receiveMessages(call(1, "test/free"));
    expect(await stream.written(2)).toEqual([
      { jsonrpc: "2.0", id: 1, error: expect.objectContaining({ message: "No." }) },
      update("after"),
    ]);
  });

  it("is sent at once from afterReply after the answer", async () => {
    const late = Promise.withResolvers<void>();
    const { stream } = serve((_params, { afterReply }, notify) => {
      void late.promise.then(() => afterReply(() => notify("late")));
    });
    stream.receiveMessages(call(1, "test/free"));
    await stream.written(1);
    late.resolve();
    expect((await stream.written(2)).at(-1)).toEqual(update("late"));
  });
});

describe("notifications of the peer", () => {
  it("are handled completely and in order with the requests around them", async () => {
    const seen: string[] = [];
    const { stream } = serve(({ name }) => {
      seen.push(name);
    });
    stream.receiveMessages(note("a"), call(1, "test/free", "request"), note("b"), note("c"));
    await stream.written(1);
    expect(seen).toEqual(["a", "request", "b", "c"]);
  });

  it.each<[string, Work]>([
    [
      "throws",
      () => {
        throw new Error("bug");
      },
    ],
    [
      "rejects, though it should not be async",
      async () => {
        throw new Error("bug");
      },
    ],
  ])("whose handler %s go to onBug", async (_name, work) => {
    const { stream, bugs } = serve(work);
    stream.receiveMessages(note("a"));
    await new Promise(setImmediate);
    expect(bugs).toMatchObject([{ method: "test/note", error: { message: "bug" } }]);
  });

  it("that do not fit are dropped and reported, unless the peer is trusted", async () => {
    const seen: unknown[] = [];
    const untrusting = serve((params) => seen.push(params));
    untrusting.stream.receiveMessages({ method: "test/note", params: { sessionId: 1 } });
    await new Promise(setImmediate);
    expect(seen).toEqual([]);
    expect(untrusting.bugs).toMatchObject([{ method: "test/note", error: { kind: "invalid_params" } }]);
    const trusting = serve((params) => seen.push(params), { trustPeer: true });
    trusting.stream.receiveMessages({ method: "test/note", params: { sessionId: 1 } });
    await new Promise(setImmediate);
    expect(seen).toEqual([{ sessionId: 1 }]);
  });
});

describe("refuse", () => {
  it("is called for each known method before its params are checked", async () => {
    const asked: string[] = [];
    const { stream } = serve(() => ({}), {
      refuse: (method) => {
        asked.push(method);
        if (method === "test/free") return undefined;
        return protocolError("invalid_request", "Send initialize first.", { reason: "not_initialized" });
      },
    });
    stream.receiveMessages({ id: 1, method: "test/session", params: {} }, call(2, "test/free"), call(3, "test/none"));
    const answers = await stream.written(3);
    expect(answers).toContainEqual(
      failure(1, -32600, "Send initialize first.", {
        kind: "invalid_request",
        retryable: false,
        reason: "not_initialized",
      }),
    );
    expect(answers).toContainEqual(answer(2));
    expect(asked).toEqual(["test/session", "test/free"]);
  });

  it("sees the effect of an earlier request in the same chunk", async () => {
    let isInitialized = false;
    const { stream } = serve(
      () => {
        isInitialized = true;
      },
      {
        refuse: (method) =>
          isInitialized || method === "test/global"
            ? undefined
            : protocolError("invalid_request", "Send initialize first.", { reason: "not_initialized" }),
      },
    );
    stream.receiveMessages(call(1, "test/global"), call(2, "test/free"));
    expect(await stream.written(2)).toEqual([answer(1), answer(2)]);
  });
});
