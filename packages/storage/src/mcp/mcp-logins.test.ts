import { chmodSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "@harness/gate";
import { afterEach, expect, test } from "vitest";
import { openMcpLogins } from "./mcp-logins.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const clock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

function opened() {
  const root = mkdtempSync(join(tmpdir(), "mcp-logins-"));
  folders.push(root);
  return { root, path: join(root, "mcp", "logins.json"), open: () => openMcpLogins({ root }, clock) };
}

test("logins are in a file that only this user can read, and other processes see them", () => {
  const { path, open } = opened();
  open().write("https://one.example/mcp", { tokens: { access_token: "secret" } });
  open().write("https://two.example/mcp", { tokens: {} });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(open().read("https://one.example/mcp")).toEqual({ tokens: { access_token: "secret" } });
  open().write("https://one.example/mcp", undefined);
  expect(open().read("https://one.example/mcp")).toBeUndefined();
  expect(open().read("https://two.example/mcp")).toEqual({ tokens: {} });
});

test("a file that others could read is closed to them when it is read", () => {
  const { path, open } = opened();
  open().write("https://one.example/mcp", { tokens: {} });
  chmodSync(path, 0o644);
  expect(open().read("https://one.example/mcp")).toEqual({ tokens: {} });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("one holder of a server's login comes after the other, and does not wait for those of other servers", async () => {
  const { open } = opened();
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const held = open().locked("https://one.example/mcp", async () => {
    await first.promise;
    order.push("first");
  });
  const second = open().locked("https://one.example/mcp", async () => void order.push("second"));
  await open().locked("https://two.example/mcp", async () => void order.push("other"));
  first.resolve();
  await Promise.all([held, second]);
  expect(order).toEqual(["other", "first", "second"]);
});

test("what a task throws is passed on, and the next one gets the lock", async () => {
  const { open } = opened();
  const logins = open();
  const failing = logins.locked("https://one.example/mcp", () => Promise.reject(new Error("no network")));
  await expect(failing).rejects.toThrow("no network");
  expect(await logins.locked("https://one.example/mcp", async () => "next")).toBe("next");
});
