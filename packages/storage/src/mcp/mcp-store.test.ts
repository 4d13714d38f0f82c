import { mkdtempSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMcpStore } from "./mcp-store.ts";

it("what is known of MCP servers is there for the next process, and can be forgotten", () => {
  const paths = { root: mkdtempSync(join(tmpdir(), "mcp-files-")) };
  const store = openMcpStore(paths);
  expect(store.read("era a")).toBeUndefined();
  expect(readdirSync(paths.root)).toEqual([]);
  store.write("era a", { kind: "legacy" });
  expect(statSync(join(paths.root, "mcp/known.json")).mode & 0o777).toBe(0o600);
  expect(openMcpStore(paths).read("era a")).toEqual({ kind: "legacy" });
  expect(openMcpStore(paths).read("toString")).toBeUndefined();
  openMcpStore(paths).write("era a", undefined);
  expect(store.read("era a")).toBeUndefined();
});
