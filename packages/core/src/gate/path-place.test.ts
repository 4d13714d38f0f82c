import { describe, expect, it } from "vitest";
import { folderOf, isBelow, isProtected, isSecret, relativeTo, resolvePath } from "./path-place.ts";

describe("places of paths", () => {
  it.each([
    ["/w", "/w", true],
    ["/w/a", "/w", true],
    ["/w2", "/w", false],
    ["/", "/w", false],
    ["/a", "/", true],
  ])("%s below %s: %s", (path, folder, expected) => {
    expect(isBelow(path, folder)).toBe(expected);
  });

  it.each([
    ["/w", "a/../b", "/w/b"],
    ["/w", "../../..", "/"],
    ["/w", "/x/./y//z", "/x/y/z"],
  ])("%s + %s = %s", (base, path, expected) => {
    expect(resolvePath(base, path)).toBe(expected);
  });

  it("tells a path from a folder", () => {
    expect([relativeTo("/w", "/w/a/b"), relativeTo("/w", "/w"), relativeTo("/", "/a"), relativeTo("/w", "/x")]).toEqual(
      ["a/b", "", "a", undefined],
    );
    expect([folderOf("/w/a"), folderOf("/a"), folderOf("/")]).toEqual(["/w", "/", "/"]);
  });
});

describe("protected", () => {
  it.each([
    "/w/.git",
    "/w/.git/hooks/x",
    "/w/sub/.git/config",
    "/w/.GIT/config",
    "/w/.git./config",
    "/w/.git /config",
    "/w/.git::$INDEX_ALLOCATION/config",
    "/w/GIT~1/config",
    "/w/.g\u200bit/config",
    "/w/.gitmodules",
    "/w/.harness/x",
    "/w/.vscode/tasks.json",
    "/w/.github/workflows/ci.yml",
    "/w/.envrc",
    "/home/me/.bashrc",
    "/home/me/.ssh/authorized_keys",
    "/home/me/.config/harness/settings.json",
    "/home/me/.config/systemd/user/x.service",
    "/home/me/Library/LaunchAgents/x.plist",
    "/etc/cron.d/x",
  ])("%s", (path) => {
    expect(isProtected(path, "/w")).toBe(true);
  });

  it.each([
    "/w/a",
    "/w/.gitignore",
    "/w/.github/ISSUE_TEMPLATE.md",
    "/w/git/config",
    "/w/etc/passwd",
    "/w/.config/other",
    "/w/harness/x",
  ])("not %s", (path) => {
    expect(isProtected(path, "/w")).toBe(false);
  });

  it("does not mind where the workspace itself lies", () => {
    expect(isProtected("/home/me/.vscode/ext/a.ts", "/home/me/.vscode/ext")).toBe(false);
  });
});

describe("secret", () => {
  it.each([
    ".env",
    ".env.production",
    "a.pem",
    "a.key",
    "id_rsa",
    ".netrc",
    "credentials",
    "credentials.yaml",
    "service-account-1.json",
    ".bash_history",
    ".ssh/config",
    ".aws/config",
  ])("%s", (name) => {
    expect(isSecret(`/w/${name}`)).toBe(true);
  });
  it.each([
    ".env.example",
    ".env.sample",
    ".env.template",
    "environment.ts",
    "id_rsa.pub",
    "key.ts",
    "credentials.test.ts",
    "keys.md",
  ])("not %s", (name) => {
    expect(isSecret(`/w/${name}`)).toBe(false);
  });
});
