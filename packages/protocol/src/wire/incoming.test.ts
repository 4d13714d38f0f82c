import { describe, expect, it } from "vitest";
import { type IncomingMessage, readMessage } from "./incoming.ts";

function refused(incoming: IncomingMessage): unknown {
  if (incoming.type !== "refused") return incoming;
  return { id: incoming.id, code: incoming.error.code, data: incoming.error.data };
}

const malformed = (id: unknown) => ({
  id,
  code: -32600,
  data: { kind: "invalid_request", retryable: false, reason: "malformed" },
});

describe("readMessage", () => {
  it.each<[string, unknown, unknown]>([
    ["null", null, null],
    ["a text", "hello", null],
    ["an object that is neither", { id: 1 }, 1],
    ["an empty object", {}, null],
    ["id null", { id: null, method: "a/b" }, null],
    ["an id that is an object", { id: {}, method: "a/b" }, null],
    ["an id beyond all numbers", { id: Number.POSITIVE_INFINITY, method: "a/b" }, null],
    ["an id that no double can hold", JSON.parse('{ "id": 9007199254740993, "method": "a/b" }'), null],
    ["an id that is true", { id: true, method: "a/b" }, null],
    ["a method that is a number", { id: 2, method: 7 }, 2],
    ["another jsonrpc", { jsonrpc: "1.0", id: 3, method: "a/b" }, 3],
    ["a jsonrpc that is a number", { jsonrpc: 2, id: "x", method: "a/b" }, "x"],
    ["scalar params", { id: 4, method: "a/b", params: 5 }, 4],
    ["text params", { id: 4, method: "a/b", params: "x" }, 4],
    ["scalar params of a notification", { method: "a/b", params: true }, null],
  ])("refuses %s with its id when it has one", (_name, value, id) => {
    expect(refused(readMessage(value))).toEqual(malformed(id));
  });

  it("refuses a batch, empty or not, as a whole", () => {
    const batch = { id: null, code: -32600, data: { kind: "invalid_request", retryable: false, reason: "batch" } };
    expect(refused(readMessage([]))).toEqual(batch);
    expect(refused(readMessage([{ jsonrpc: "2.0", id: 1, method: "a/b" }]))).toEqual(batch);
  });

  it("gives a request and a notification without params empty ones, and takes them without jsonrpc", () => {
    expect(readMessage({ id: 1, method: "a/b" })).toEqual({
      type: "request",
      message: { jsonrpc: "2.0", id: 1, method: "a/b", params: {} },
    });
    expect(readMessage({ jsonrpc: "2.0", method: "a/b", params: null })).toEqual({
      type: "notification",
      message: { jsonrpc: "2.0", method: "a/b", params: {} },
    });
  });

  it("reads both names of a cancel as that of vscode-jsonrpc, and ignores what else begins with $/", () => {
    const cancel = { jsonrpc: "2.0", method: "$/cancelRequest", params: { id: "r" } };
    for (const params of [{ requestId: "r" }, { requestId: "r", more: 1 }])
      expect(readMessage({ method: "$/cancel_request", params })).toEqual({ type: "notification", message: cancel });
    expect(readMessage({ method: "$/cancelRequest", params: { id: "r" } })).toMatchObject({ message: cancel });
    for (const params of [{ requestId: null }, { requestId: {} }, {}, [1]])
      expect(readMessage({ method: "$/cancel_request", params })).toEqual({ type: "ignored" });
    expect(readMessage({ method: "$/progress", params: { token: 1 } })).toEqual({ type: "ignored" });
  });

  it("makes every answer one that vscode-jsonrpc can settle", () => {
    const message = (value: unknown) => {
      const incoming = readMessage(value);
      return incoming.type === "answer" ? incoming.message : incoming;
    };
    expect(message({ id: 1, result: null })).toEqual({ jsonrpc: "2.0", id: 1, result: null });
    expect(message({ id: 1, result: 3, error: null })).toEqual({ jsonrpc: "2.0", id: 1, result: 3 });
    const unreadable = "The other side reported an error without a message.";
    for (const error of [null, "no", {}, { code: "x", message: 3 }]) {
      expect(message({ id: 1, error })).toMatchObject({ id: 1, error: { code: -32603, message: unreadable } });
    }
    expect(readMessage({ id: null, error: { code: -32700, message: "What?" } })).toMatchObject({
      type: "complaint",
      error: { kind: "parse", message: "What?" },
    });
  });
});
