import { describe, expect, it } from "vitest";
import { OriginCheck } from "./origin-check.ts";
import { WebAccess } from "./web-access.ts";

describe("the secrets of the page", () => {
  it("are good once, or until the process ends", () => {
    const access = new WebAccess();
    const token = access.newToken();
    expect([access.redeem(""), access.redeem(`${token}x`), access.isKey(token)]).toEqual([undefined, undefined, false]);
    const key = access.redeem(token) ?? "";
    expect([key.length, access.isKey(key), access.redeem(token), access.redeem(key)]).toEqual([
      43,
      true,
      undefined,
      undefined,
    ]);
  });

  it("of a link that was never used end with the next link", () => {
    const access = new WebAccess();
    const first = access.newToken();
    const second = access.newToken();
    expect([access.redeem(first), access.redeem(second)]).toEqual([undefined, expect.any(String)]);
  });

  it("of the browser that was opened first end when there are too many", () => {
    const access = new WebAccess();
    const keys = Array.from({ length: 33 }, () => access.redeem(access.newToken()) ?? "");
    expect([keys[0], keys[1], keys[32]].map((key) => access.isKey(key ?? ""))).toEqual([false, true, true]);
  });
});

describe("the names of the page", () => {
  const alone = new OriginCheck({ scheme: "http", port: 4000, isShared: false });
  const usual = new OriginCheck({ scheme: "https", port: 443, isShared: true });

  it.each<[string | undefined, boolean]>([
    ["127.0.0.1:4000", true],
    ["LOCALHOST:4000", true],
    ["127.0.0.1", false],
    ["127.0.0.1:4001", false],
    ["127.0.0.1.example.com:4000", false],
    ["[::1]:4000", false],
    ["0.0.0.0:4000", false],
    ["", false],
    [undefined, false],
  ])("has the host %j: %s", (host, isOwn) => {
    expect(alone.isHost(host)).toBe(isOwn);
  });

  it.each<[string | undefined, boolean]>([
    ["http://127.0.0.1:4000", true],
    ["https://127.0.0.1:4000", false],
    ["http://127.0.0.1:4000.example.com", false],
    ["http://example.com://127.0.0.1:4000", false],
    ["null", false],
    [undefined, false],
  ])("has the origin %j: %s", (origin, isOwn) => {
    expect(alone.isOrigin(origin)).toBe(isOwn);
  });

  it("need no port where it is the usual one", () => {
    expect([usual.isHost("localhost"), usual.isHost("localhost:443"), usual.isOrigin("https://localhost")]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
