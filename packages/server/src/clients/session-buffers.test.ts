import { MAX_BUFFER_CHARS, protocolError } from "@harness/protocol";
import { ManualClock } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { Client } from "./client.ts";
import { SessionBuffers } from "./session-buffers.ts";

type Call = {
  method: string;
  params: unknown;
  signal: AbortSignal;
  reply(answer: unknown): void;
  fail(error: unknown): void;
};
type Profile = Partial<NonNullable<Client["profile"]>>;

function clientWith(buffers: { read: boolean; write: boolean }, more: Profile = {}) {
  const calls: Call[] = [];
  const call = (method: string, params: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((reply, fail) => calls.push({ method, params, signal, reply, fail }));
  const profile = { name: "editor", role: "controller" as const, canAnswerPermissions: true, canAnswerQuestions: true };
  const client: Client = {
    name: "editor",
    closed: new AbortController().signal,
    peer: { call, notify: () => undefined } as unknown as Client["peer"],
    profile: { ...profile, buffers, optOut: new Set(), ...more },
  };
  return { client, calls };
}

const BOTH = { read: true, write: true };
const NONE = { read: false, write: false };
const never = new AbortController().signal;

function opened(...clients: { client: Client }[]) {
  const clock = new ManualClock();
  const all = new Set(clients.map(({ client }) => client));
  return { clock, buffers: new SessionBuffers("s1", all, clock) };
}

describe("open files", () => {
  it("are those of the first client that offers them; observers offer nothing", async () => {
    const window = clientWith(NONE);
    const observer = clientWith(BOTH, { role: "observer" });
    const reader = clientWith({ read: true, write: false });
    const { buffers } = opened(window, observer, reader, clientWith(BOTH));
    expect(buffers.offer).toEqual({ read: true, write: false });
    const answer = buffers.read("/work/a.ts", never);
    expect(reader.calls).toMatchObject([{ method: "buffer/read", params: { sessionId: "s1", path: "/work/a.ts" } }]);
    reader.calls[0]?.reply({ text: "typed" });
    expect(await answer).toEqual({ text: "typed" });
    expect([window.calls, observer.calls]).toEqual([[], []]);
  });

  it("are not asked for without an offer", async () => {
    const window = clientWith(NONE);
    const { buffers } = opened(window);
    expect(buffers.offer).toEqual(NONE);
    expect(await buffers.read("/work/a.ts", never)).toEqual({ missing: "unknown" });
    expect(await buffers.write("/work/a.ts", "x", never)).toMatchObject({ isUnknown: false });
    expect(window.calls).toEqual([]);
  });

  it.each([
    ["missing", { missing: "unknown" }, { missing: "unknown" }],
    ["too large", { text: "x".repeat(MAX_BUFFER_CHARS + 1) }, { missing: "too_large" }],
    ["unreadable there", { missing: "failed" }, { missing: "failed" }],
  ])("can be %s", async (_what, reply, expected) => {
    const editor = clientWith(BOTH);
    const { buffers } = opened(editor);
    const answer = buffers.read("/work/a.ts", never);
    editor.calls[0]?.reply(reply);
    expect(await answer).toEqual(expected);
  });

  it("of a client that has gone are not known; other errors are failures", async () => {
    const editor = clientWith(BOTH);
    const { buffers } = opened(editor);
    const gone = buffers.read("/work/a.ts", never);
    editor.calls[0]?.fail(protocolError("closed", "The connection ended.", {}));
    expect(await gone).toEqual({ missing: "unknown" });
    const failed = buffers.read("/work/a.ts", never);
    editor.calls[1]?.fail(new Error("boom"));
    expect(await failed).toEqual({ missing: "failed" });
  });
});

describe("a client that does not answer", () => {
  it("is waited for five seconds, then not asked for a minute", async () => {
    const editor = clientWith(BOTH);
    const { buffers, clock } = opened(editor);
    const answer = buffers.read("/work/a.ts", never);
    clock.advance(5000);
    expect(await answer).toEqual({ missing: "silent" });
    expect(editor.calls[0]?.signal.aborted).toBe(true);
    expect(buffers.offer).toEqual({ read: true, write: false });
    expect(await buffers.read("/work/b.ts", never)).toEqual({ missing: "silent" });
    expect(editor.calls).toHaveLength(1);
    clock.advance(60_000);
    expect(buffers.offer).toEqual(BOTH);
    const again = buffers.read("/work/b.ts", never);
    editor.calls[1]?.reply({ text: "b" });
    expect(await again).toEqual({ text: "b" });
    expect(clock.sleeping).toBe(0);
  });

  it("may have written a text or not", async () => {
    const editor = clientWith(BOTH);
    const { buffers, clock } = opened(editor);
    const answer = buffers.write("/work/a.ts", "x", never);
    clock.advance(10_000);
    expect(await answer).toEqual({ problem: "The editor did not answer within 10 seconds", isUnknown: true });
  });

  it("is not waited for once the call is stopped", async () => {
    const editor = clientWith(BOTH);
    const { buffers } = opened(editor);
    const stop = new AbortController();
    const [read, write] = [buffers.read("/work/a.ts", stop.signal), buffers.write("/work/a.ts", "x", stop.signal)];
    stop.abort();
    expect(await read).toEqual({ missing: "unknown" });
    expect(await write).toMatchObject({ isUnknown: true });
    // It was not its fault.
    expect(buffers.offer).toEqual(BOTH);
  });
});

it.each([
  ["refuses", (call: Call) => call.reply({ problem: "read-only" }), "The editor did not write it (read-only)", false],
  ["fails", (call: Call) => call.fail(new Error("boom")), "The editor did not write it (boom)", false],
  [
    "is closed",
    (call: Call) => call.fail(protocolError("closed", "The connection ended.", {})),
    "The editor was closed while it wrote",
    true,
  ],
])("a client that %s has not written", async (_what, end, problem, isUnknown) => {
  const editor = clientWith(BOTH);
  const { buffers } = opened(editor);
  const answer = buffers.write("/work/a.ts", "x", never);
  for (const call of editor.calls) end(call);
  expect(await answer).toEqual({ problem, isUnknown });
});
