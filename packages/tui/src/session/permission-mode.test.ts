import { describe, expect, it } from "vitest";
import { nextPermissionMode } from "./permission-mode.ts";

describe("the next permission mode", () => {
  it.each([
    ["default", undefined, "accept-edits"],
    ["accept-edits", undefined, "plan"],
    ["plan", undefined, "default"],
    ["plan", { active: false }, "default"],
    ["plan", { active: true }, "auto-in-sandbox"],
    ["auto-in-sandbox", { active: true }, "default"],
    ["auto-in-sandbox", undefined, "default"],
    ["deny", undefined, "default"],
    ["auto", { active: true }, "default"],
  ])("after %s, sandbox %j, is %s", (permissionMode, sandbox, next) => {
    expect(nextPermissionMode({ permissionMode, ...(sandbox ? { sandbox } : {}) })).toBe(next);
  });
});
