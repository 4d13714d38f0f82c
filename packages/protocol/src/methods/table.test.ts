import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import type { Caller, CallParams, Handlers, Params, Result } from "./table.ts";
import { notification, request } from "./table.ts";

const table = {
  "session/get": request({
    doc: "Reads a session.",
    lane: "session",
    idempotent: true,
    access: "read",
    params: z.object({ sessionId: z.string(), limit: z.number().default(3) }),
    result: z.object({ title: z.string() }),
  }),
  "session/close": request({
    doc: "Closes a session.",
    lane: "session",
    idempotent: true,
    access: "read",
    params: z.object({ sessionId: z.string() }),
    result: z.object({}),
  }),
  exit: notification({ doc: "Ends the server.", params: z.object({}) }),
};
type T = typeof table;

const handlers: Handlers<T> = {
  "session/get": async ({ sessionId, limit }) => ({ title: `${sessionId} ${limit.toFixed()}` }),
  "session/close": () => undefined,
  exit: () => undefined,
};

describe("a method table", () => {
  it("keeps a row unchanged and adds its type", () => {
    expect(table["session/get"].type).toBe("request");
    expect(table["session/get"].lane).toBe("session");
    expect(table.exit.type).toBe("notification");
  });

  it("derives params and results from the row", () => {
    expectTypeOf<Params<T, "session/get">>().toEqualTypeOf<{ sessionId: string; limit: number }>();
    expectTypeOf<CallParams<T, "session/get">>().toEqualTypeOf<{ sessionId: string; limit?: number | undefined }>();
    expectTypeOf<Result<T, "session/get">>().toEqualTypeOf<{ title: string }>();
    expectTypeOf<Result<T, "exit">>().toBeNever();
  });

  it("makes a missing, superfluous or wrongly typed handler a compile error", () => {
    const { exit, ...withoutExit } = handlers;
    // @ts-expect-error: exit is missing
    const missing: Handlers<T> = withoutExit;
    // @ts-expect-error: there is no such row
    const superfluous: Handlers<T> = { ...handlers, "session/got": exit };
    // @ts-expect-error: title is a string
    const wrong: Handlers<T> = { ...handlers, "session/get": () => ({ title: 1 }) };
    // @ts-expect-error: title may not be left out
    const empty: Handlers<T> = { ...handlers, "session/get": () => undefined };
    expect([missing, superfluous, wrong, empty]).toHaveLength(4);
  });

  it("types the calls: requests by call, notifications by notify", () => {
    const check = (caller: Caller<T>) => [
      caller.call("session/get", { sessionId: "s" }).then(({ title }) => title.length),
      caller.notify("exit", {}),
      // @ts-expect-error: a notification has no answer
      caller.call("exit", {}),
      // @ts-expect-error: a request is not a notification
      caller.notify("session/get", { sessionId: "s" }),
      // @ts-expect-error: sessionId is a string
      caller.call("session/get", { sessionId: 1 }),
    ];
    expect(check).toBeTypeOf("function");
  });
});
