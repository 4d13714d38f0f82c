import { describe, expect, it } from "vitest";
import { nextPermissionMode } from "./permission-mode.ts";

describe("the next permission mode", () => {
  it.each([
    ["default", false, "accept-edits"],
    ["accept-edits", false, "plan"],
    ["plan", false, "default"],
    ["plan", false, "default"],
    ["plan", true, "auto-in-sandbox"],
    ["auto-in-sandbox", true, "default"],
    ["auto-in-sandbox", false, "default"],
    ["deny", false, "default"],
    ["auto", true, "default"],
  ])("after %s, sandbox %j, is %s", (permissionMode, hasSandbox, next) => {
    expect(nextPermissionMode(permissionMode, { hasSandbox })).toBe(next);
  });
});
