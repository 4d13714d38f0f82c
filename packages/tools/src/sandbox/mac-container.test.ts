import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowsIn, macProxy, wordsOfSandbox } from "../../test/mac-profile.ts";
import { macContainer } from "./mac-container.ts";
import type { FileAccess } from "./sandbox-policy.ts";

// Only the text of the profile: none of our tests has run it on macOS.

let proxy: Awaited<ReturnType<typeof macProxy>>;
beforeAll(async () => {
  proxy = await macProxy("/Users/me");
});
afterAll(async () => {
  proxy.end();
  await proxy.ended();
});

const empty: FileAccess = {
  writable: [],
  fixed: [],
  vacant: [],
  watched: [],
  links: [],
  hiddenFolders: [],
  hiddenFiles: [],
};

async function contained(policy: Partial<FileAccess>, argv: string[] = ["bash", "-c", "true"]) {
  const own = { temporary: "/private/tmp/own" } as Parameters<ReturnType<typeof macContainer>["contain"]>[0]["own"];
  const made = await macContainer(proxy).contain({ argv, cwd: "/w", policy: { ...empty, ...policy }, own });
  if ("problem" in made) throw new Error(made.problem);
  const [shell, flag, line = ""] = made.argv;
  expect([shell, flag]).toEqual(["/bin/sh", "-c"]);
  const [option, profile = "", ...command] = wordsOfSandbox(line);
  expect(option).toBe("-p");
  return { allows: allowsIn(profile), profile, command, env: made.env };
}

const usual: Partial<FileAccess> = {
  writable: ["/w", "/more"],
  fixed: ["/w/.git/hooks", "/w/.git/config"],
  vacant: ["/w/.vscode"],
  watched: ["/w/.npmrc"],
  links: ["/w/.husky"],
  hiddenFolders: ["/Users/me/.ssh"],
  hiddenFiles: ["/w/.env"],
};

describe("the profile for macOS", () => {
  it.each([
    ["a file of the workspace", "file-write-data", "/w/src/a.ts", true],
    ["a new file of the workspace", "file-write-create", "/w/src/b.ts", true],
    ["a file of another folder of the workspace", "file-write-data", "/more/a", true],
    ["its own temporary folder", "file-write-create", "/private/tmp/own/x", true],
    ["a file elsewhere", "file-write-data", "/Users/me/x", false],
    ["a folder whose name begins like the workspace", "file-write-data", "/workspace/x", false],
    ["a system folder", "file-write-data", "/etc/hosts", false],
    ["a hook of git", "file-write-create", "/w/.git/hooks/pre-commit", false],
    ["the settings of git", "file-write-data", "/w/.git/config", false],
    ["another file of git", "file-write-create", "/w/.git/index.lock", true],
    ["a protected folder that is missing", "file-write-create", "/w/.vscode/tasks.json", false],
    ["a protected file that is missing", "file-write-create", "/w/.npmrc", false],
    ["a link at a protected place", "file-write-unlink", "/w/.husky", false],
    ["the folder of what is protected", "file-write-unlink", "/w/.git", false],
    ["the workspace itself", "file-write-unlink", "/w", false],
    ["a place that the library would let it write", "file-write-create", "/Users/me/.claude/debug/x", false],
    ["the logs of npm", "file-write-create", "/Users/me/.npm/_logs/x", false],
    ["the shared temporary folder of the library", "file-write-create", "/private/tmp/claude/x", false],
  ])("says whether a command may change %s", async (_name, operation, path, allowed) => {
    const { allows } = await contained(usual);
    expect(allows(operation, path)).toBe(allowed);
  });

  it.each([
    ["a file of the workspace", "/w/src/a.ts", true],
    ["a file of the system", "/usr/lib/x.dylib", true],
    ["a key", "/Users/me/.ssh/id_rsa", false],
    ["a secret file of the workspace", "/w/.env", false],
    ["a file whose name begins like a secret one", "/w/.env.example", true],
  ])("says whether a command may read %s", async (_name, path, allowed) => {
    const { allows } = await contained(usual);
    expect(allows("file-read-data", path)).toBe(allowed);
  });

  it.each([
    ["quotes", `/w/a"b'c`],
    ["parentheses", '/w/a) (allow file-write* (subpath "/")) (b'],
    ["a line end", "/w/a\n(allow file-write*)"],
    ["backslashes", "/w/a\\\\b\\"],
    ["signs of a shell", "/w/$(touch /tmp/x)`id`;&|"],
    ["a comment", "/w/a;b"],
    ["stars", "/w/*[a-z]?"],
    ["other letters", "/w/日本 é"],
  ])("keeps to a path with %s", async (_name, path) => {
    const { allows } = await contained({
      writable: [path],
      fixed: [`${path}/.git/hooks`],
      hiddenFolders: [`${path}/.ssh`],
    });
    expect(allows("file-write-data", `${path}/x`)).toBe(true);
    expect(allows("file-write-create", `${path}/.git/hooks/x`)).toBe(false);
    expect(allows("file-read-data", `${path}/.ssh/x`)).toBe(false);
    expect(["/w/a", "/w/abc", "/w/ax", "/etc/x", "/"].filter((each) => allows("file-write-data", each))).toEqual([]);
  });

  it("begins with a denial of everything, and reaches only the proxy", async () => {
    const { profile, allows } = await contained(usual);
    expect(profile).toMatch(/^\(version 1\)\n\(deny default /);
    expect(allows("network-outbound", "/")).toBe(false);
    expect([...profile.matchAll(/^\(allow network[^\n]*$/gm)].map(([line]) => line.replace(/\d+/, "PORT"))).toEqual([
      '(allow network-bind (local ip "localhost:PORT"))',
      '(allow network-inbound (local ip "localhost:PORT"))',
      '(allow network-outbound (remote ip "localhost:PORT"))',
    ]);
  });

  it("stands before the command as it is, with a temporary folder of its own", async () => {
    const { command, env } = await contained(usual, ["bash", "-c", `echo 'a b' "$HOME"\n# c`]);
    expect(command).toEqual([
      "/bin/sh",
      "-c",
      `TMPDIR='/private/tmp/own' exec 'bash' '-c' 'echo '\\''a b'\\'' "$HOME"\n# c'`,
    ]);
    expect(env.npm_config_cache).toBe("/private/tmp/own/.npm");
  });
});
