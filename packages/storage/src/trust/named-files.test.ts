import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FileStamps } from "@harness/host";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TrustStore } from "./trust-store.ts";

let base = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "trust named ")));
  mkdirSync(join(base, "home"));
  mkdirSync(join(base, "repo", ".git"), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function put(path: string, content: unknown): void {
  const whole = join(base, "repo", path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, typeof content === "string" ? content : JSON.stringify(content));
}
/** A new store each time, so that nothing is cached. */
const look = () =>
  new TrustStore({
    configPaths: { root: join(base, "config") },
    home: join(base, "home"),
    clock: { now: () => 0 },
    stamps: new FileStamps(),
    envUsed: () => [],
  }).inspect(join(base, "repo"));
const paths = () => look().files.map(({ path }) => path);
const hook = (command: string) => ({ hooks: { PostToolUse: [{ hooks: [{ type: "command", command }] }] } });

describe("what hooks and MCP servers run", () => {
  it("is looked at without waiting where a pipe is in its place", () => {
    put(".harness/hooks.json", hook("npm run fmt"));
    execFileSync("mkfifo", [join(base, "repo/package.json")]);
    expect(paths()).toContain(".harness/hooks.json");
  });

  it("belongs to what is trusted", () => {
    put(".claude/settings.json", hook('"$CLAUDE_PROJECT_DIR"/scripts/fmt.sh'));
    put(".harness/hooks.json", hook("npm run fmt"));
    put(".mcp.json", { mcpServers: { a: { command: "node", args: ["./tools/mcp.mjs"] } } });
    put("scripts/fmt.sh", "a");
    put("tools/mcp.mjs", "a");
    put("tools/other.mjs", "a");
    put("package.json", { scripts: { fmt: "node fmt.mjs" }, dependencies: {} });
    put("fmt.mjs", "a");
    const named = ["fmt.mjs", "package.json", "scripts/fmt.sh", "tools/mcp.mjs"];
    expect(paths().sort()).toEqual([".claude/settings.json", ".harness/hooks.json", ".mcp.json", ...named].sort());
    for (const name of ["fmt.mjs", "scripts/fmt.sh", "tools/mcp.mjs"]) {
      const before = look().hash;
      put(name, "changed");
      expect(look().hash, name).not.toBe(before);
    }
  });

  it("belongs to what is trusted where settings of the project name it", () => {
    put(".harness/settings.json", {
      environment_command: "sh ./env.sh",
      check_command: "sh ./check.sh",
      mcp_servers: ["a=node ./b.mjs", { name: "c", command: "node", args: ["./c.mjs"] }],
    });
    for (const name of ["env.sh", "b.mjs", "c.mjs", "check.sh"]) put(name, "a");
    expect(paths().sort()).toEqual([".harness/settings.json", "b.mjs", "c.mjs", "check.sh", "env.sh"]);
  });

  it("counts of a package.json only with its scripts", () => {
    put(".harness/hooks.json", hook("npm run fmt"));
    put("package.json", { scripts: { fmt: "x" } });
    const before = look().hash;
    put("package.json", { scripts: { fmt: "x" }, dependencies: { a: "1" } });
    expect(look().hash).toBe(before);
    put("package.json", { scripts: { fmt: "y" }, dependencies: { a: "1" } });
    expect(look().hash).not.toBe(before);
  });

  it("may be a large program, and is none of what is installed, outside, or missing", () => {
    const servers = ["./server", "./node_modules/.bin/x", "/usr/bin/env", "./missing"];
    put(".mcp.json", { mcpServers: Object.fromEntries(servers.map((command, at) => [`s${at}`, { command }])) });
    put("server", "x".repeat(1024 * 1024 + 1));
    put("node_modules/.bin/x", "x");
    expect(paths().sort()).toEqual([".mcp.json", "server"]);
    const { hash, tooMuch } = look();
    expect(tooMuch).toBeUndefined();
    put("server", "y".repeat(1024 * 1024 + 1));
    expect(look().hash).not.toBe(hash);
  });
});
