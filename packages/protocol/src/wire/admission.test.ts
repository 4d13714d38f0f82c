import { describe, expect, it } from "vitest";
import { Admission, type Verdict } from "./admission.ts";

function refused(verdict: Verdict): unknown {
  return verdict.type === "refuse" ? { id: verdict.id, code: verdict.error.code, data: verdict.error.data } : verdict;
}

const malformed = (id: unknown) => ({
  id,
  code: -32600,
  data: { kind: "invalid_request", retryable: false, reason: "malformed" },
});

describe("Admission", () => {
  it.each<[string, unknown, unknown]>([
    ["null", null, null],
    ["a text", "hello", null],
    ["an object that is neither", { id: 1 }, 1],
    ["an empty object", {}, null],
    ["id null", { id: null, method: "a/b" }, null],
    ["an id that is an object", { id: {}, method: "a/b" }, null],
    ["an id beyond all numbers", { id: Number.POSITIVE_INFINITY, method: "a/b" }, null],
    ["an id that is true", { id: true, method: "a/b" }, null],
    ["a method that is a number", { id: 2, method: 7 }, 2],
    ["another jsonrpc", { jsonrpc: "1.0", id: 3, method: "a/b" }, 3],
    ["a jsonrpc that is a number", { jsonrpc: 2, id: "x", method: "a/b" }, "x"],
    ["scalar params", { id: 4, method: "a/b", params: 5 }, 4],
    ["text params", { id: 4, method: "a/b", params: "x" }, 4],
    ["scalar params of a notification", { method: "a/b", params: true }, null],
  ])("refuses %s with its id when it has one", (_name, value, id) => {
    expect(refused(new Admission(64).inspect(value))).toEqual(malformed(id));
  });

  it("refuses a batch, empty or not, as a whole", () => {
    const batch = { id: null, code: -32600, data: { kind: "invalid_request", retryable: false, reason: "batch" } };
    expect(refused(new Admission(64).inspect([]))).toEqual(batch);
    expect(refused(new Admission(64).inspect([{ jsonrpc: "2.0", id: 1, method: "a/b" }]))).toEqual(batch);
  });

  it("gives a request and a notification without params empty ones, and takes them without jsonrpc", () => {
    const admission = new Admission(64);
    expect(admission.inspect({ id: 1, method: "a/b" })).toEqual({
      type: "request",
      message: { jsonrpc: "2.0", id: 1, method: "a/b", params: {} },
    });
    expect(admission.inspect({ jsonrpc: "2.0", method: "a/b", params: null })).toEqual({
      type: "notification",
      message: { jsonrpc: "2.0", method: "a/b", params: {} },
    });
  });

  it("refuses the id of a request that still waits, and takes it again once that is answered", () => {
    const admission = new Admission(64);
    admission.inspect({ id: 7, method: "a/b" });
    const duplicate = { code: -32600, data: { kind: "invalid_request", retryable: false, reason: "duplicate_id" } };
    expect(refused(admission.inspect({ id: 7, method: "a/b" }))).toEqual({ id: 7, ...duplicate });
    expect(refused(admission.inspect({ id: "7", method: "a/b" }))).toEqual({ id: "7", ...duplicate });
    admission.answered(7);
    expect(admission.inspect({ id: 7, method: "a/b" }).type).toBe("request");
  });

  it("refuses more than the allowed number of requests in flight", () => {
    const admission = new Admission(2);
    admission.inspect({ id: 1, method: "a/b" });
    admission.inspect({ id: 2, method: "a/b" });
    expect(refused(admission.inspect({ id: 3, method: "a/b" }))).toEqual({
      id: 3,
      code: -32001,
      data: { kind: "overloaded", retryable: true, maxInFlight: 2 },
    });
    admission.answered(1);
    expect(admission.inspect({ id: 3, method: "a/b" }).type).toBe("request");
    expect(admission.inFlight).toBe(2);
  });

  it("knows both names of a cancel, and ignores one of a request that is not in flight", () => {
    const admission = new Admission(64);
    admission.inspect({ id: "r", method: "a/b" });
    expect(admission.inspect({ method: "$/cancel_request", params: { requestId: "r" } })).toEqual({
      type: "cancel",
      requestId: "r",
    });
    expect(admission.inspect({ method: "$/cancelRequest", params: { id: "r" } }).type).toBe("cancel");
    for (const params of [{ requestId: 99 }, { requestId: null }, {}, [1]]) {
      expect(admission.inspect({ method: "$/cancel_request", params })).toEqual({ type: "ignore" });
    }
    expect(admission.inspect({ method: "$/progress", params: { token: 1 } })).toEqual({ type: "ignore" });
  });

  it("makes every answer one that vscode-jsonrpc can settle", () => {
    const admission = new Admission(64);
    const message = (value: unknown) => {
      const verdict = admission.inspect(value);
      return verdict.type === "answer" ? verdict.message : verdict;
    };
    expect(message({ id: 1, result: null })).toEqual({ jsonrpc: "2.0", id: 1, result: null });
    expect(message({ id: 1, result: 3, error: null })).toEqual({ jsonrpc: "2.0", id: 1, result: 3 });
    const unreadable = "The other side reported an error without a message.";
    for (const error of [null, "no", {}, { code: "x", message: 3 }]) {
      expect(message({ id: 1, error })).toMatchObject({ id: 1, error: { code: -32603, message: unreadable } });
    }
    expect(admission.inspect({ id: null, error: { code: -32700, message: "What?" } })).toMatchObject({
      type: "complaint",
      error: { kind: "parse", message: "What?" },
    });
  });
});
