import { expect, it } from "vitest";
import { claimAt, claimsOf } from "./token-claims.ts";

const tokenWith = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.sig`;

it("token claims: only names are read from a token", () => {
  const claims = claimsOf(
    tokenWith({ sub: "anna", deep: { id: "a-1" }, odd: "a\r\nb", long: "x".repeat(201), list: [1] }),
  );
  expect(claimAt(claims, ["sub"])).toBe("anna");
  expect(claimAt(claims, ["deep", "id"])).toBe("a-1");
  for (const path of [["odd"], ["long"], ["list"], ["deep"], ["no", "such"], ["constructor", "name"], ["__proto__"]]) {
    expect([path, claimAt(claims, path)]).toEqual([path, undefined]);
  }
  for (const token of [undefined, 1, "", "a.b", "a.e30", "opaque", tokenWith([1]), tokenWith(null)]) {
    expect(claimsOf(token)).toEqual({});
  }
});
