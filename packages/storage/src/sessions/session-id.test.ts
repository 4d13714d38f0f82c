import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appendAll, userSays } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { openStore } from "./session-store.ts";

const NOW = Date.UTC(2026, 10, 21);
const base = mkdtempSync(join(tmpdir(), "ids-"));
afterEach(() => rmSync(base, { recursive: true, force: true }));

it("a new id is none of a stored session, nor of one in the bin", async () => {
  /** The numbers that ids are made of: those that are taken come first. */
  const drawn = [0, 0, 1, 0, 1, 2];
  const random = () => new Uint8Array(4).fill(drawn.shift() ?? 3);
  const store = () => openStore(join(base, "conversations"), { clock: { now: () => NOW }, random });
  const leave = (sessionId: string) => {
    const log = store().create({ sessionId, cwd: "/project", createdAt: new Date(NOW).toISOString(), version: 1 });
    appendAll(log, [userSays("hi")], NOW);
    log.close();
  };
  const first = store().newSessionId();
  expect(first).toMatch(/-aaaa$/);
  leave(first);
  const second = store().newSessionId();
  expect(second).toMatch(/-bbbb$/);
  leave(second);
  expect(await store().bin.put(first)).toEqual({ deleted: true });
  expect(store().newSessionId()).toMatch(/-cccc$/);
  expect(drawn).toEqual([]);
});
