import { describe, expect, expectTypeOf, it } from "vitest";
import { type ErrorKind, errorFromWire, errorKinds, ProtocolError, protocolError } from "./errors.ts";

describe("errors", () => {
  it("have a different code for every kind", () => {
    const codes = Object.values(errorKinds).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it("have kind and retryable in their data", () => {
    expect(protocolError("overloaded", "Later.").toWire()).toEqual({
      code: -32001,
      message: "Later.",
      data: { kind: "overloaded", retryable: true },
    });
    expect(protocolError("not_found", "No session x.", { what: "session", id: "x" }).toWire()).toEqual({
      code: -32002,
      message: "No session x.",
      data: { kind: "not_found", retryable: false, what: "session", id: "x" },
    });
  });

  it("can be marked as retryable, with a time", () => {
    const error = protocolError("provider_error", "Too many requests.", {
      provider: "local",
      providerKind: "rate_limit",
      retryable: true,
      retryAfterMs: 2000,
    });
    expect(error.data).toMatchObject({ retryable: true, retryAfterMs: 2000, providerKind: "rate_limit" });
  });

  it("need the fields of their kind", () => {
    // @ts-expect-error: not_found says what was not found
    expect(protocolError("not_found", "No.")).toBeInstanceOf(ProtocolError);
    const error: ProtocolError = protocolError("conflict", "Busy.", { currentTurnId: "t_1" });
    if (error.data.kind === "conflict") expectTypeOf(error.data.currentTurnId).toEqualTypeOf<string | undefined>();
    expect(error.kind).toBe("conflict");
  });

  it("survive the wire unchanged", () => {
    const sent = protocolError("invalid_params", "Wrong.", { issues: [{ path: "a.0", message: "must be a string" }] });
    const received = errorFromWire(JSON.parse(JSON.stringify(sent.toWire())));
    expect(received).toBeInstanceOf(ProtocolError);
    expect({ ...received.toWire() }).toEqual(sent.toWire());
    expect(received.kind).toBe("invalid_params");
  });

  it.each<[string, unknown, ErrorKind]>([
    ["only a code", { code: -32601, message: "no" }, "method_not_found"],
    ["fields of the wrong type", { code: -32602, message: "no", data: { issues: 3 } }, "invalid_params"],
    ["a code whose kind cannot be guessed", { code: -32013, message: "no" }, "internal"],
    ["a kind of the future", { code: -32999, message: "no", data: { kind: "quota", retryable: true } }, "internal"],
    ["a kind without its fields", { code: -32002, message: "no", data: { kind: "not_found" } }, "not_found"],
    ["data that is not an object", { code: -32001, message: "no", data: "busy" }, "overloaded"],
    ["a kind that names a member of Object", { code: 1, message: "no", data: { kind: "toString" } }, "internal"],
  ])("reads a peer's error with %s", (_name, wire, kind) => {
    const error = errorFromWire(wire as { code: number; message: string });
    expect(error.kind).toBe(kind);
    expect(error.message).toBe("no");
    if (error.data.kind === "invalid_params") expect(error.data.issues).toEqual([]);
    expect(error.data.retryable).toBe(kind === "overloaded" || (wire as { code: number }).code === -32999);
  });
});
