import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SourceEntry } from "@harness/extensions";
import { mcpConfiguration, mergeServers, readServerSetting, readServers } from "@harness/mcp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findServers } from "./mcp-configs.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "servers-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const readers = { readServers, readServerSetting, mergeServers, mcpConfiguration };

/** The servers of one file of an untrusted project. */
function untrusted(path: string) {
  const source = { folder, owner: "project", layout: "harness" } as const;
  const entry: SourceEntry = {
    ...{ kind: "mcp", name: "mcp.json", path, source, isExecutable: false, stamp: "" },
    problem: "its folder is not trusted.",
    needsTrust: true,
  };
  return findServers(
    { setting: [], entries: [entry], request: { files: [], strict: false }, sampling: false },
    readers,
  );
}

describe("a file that names MCP servers, of a project that is not trusted", () => {
  it.each<[string, (path: string) => void, string]>([
    ["a pipe", (path) => execFileSync("mkfifo", [path]), "it is not a regular file"],
    ["a link to a device", (path) => symlinkSync("/dev/zero", path), "it cannot be read"],
    ["a link to another file", (path) => symlinkSync("/etc/hostname", path), "it cannot be read"],
    ["a huge file", (path) => writeFileSync(path, " ".repeat(1024 * 1024 + 1)), "it is larger than 1 MB"],
  ])("holds nothing up and shows nothing where it is %s", (_what, put, why) => {
    const path = join(folder, "mcp.json");
    put(path);
    expect(untrusted(path)).toEqual({ servers: [], problems: [`The MCP servers of ${path} are not used: ${why}.`] });
  });

  it("has its servers listed, and none of them is one that may start", () => {
    const path = join(folder, "mcp.json");
    writeFileSync(path, JSON.stringify({ mcpServers: { a: { command: "x" } } }));
    expect(untrusted(path).servers.map(({ config }) => config)).toEqual([
      { name: "a", command: "x", from: path, project: true, trusted: false },
    ]);
  });
});
