// The contract of the archive, of every session store.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionStore } from "@harness/core";
import { ROOT_AGENT } from "@harness/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { appendAll, got, idle, type StoreRow, userSays } from "./store-contract.ts";

const START = Date.UTC(2026, 10, 21, 14, 30, 22);
const DAY_MS = 24 * 3600 * 1000;

export function sessionArchiveContract(row: StoreRow): void {
  describe(`archive: ${row.name}`, () => {
    let root = "";
    let now = START;
    let store: SessionStore;
    const open = () => row.open(root, { clock: { now: () => now } });
    const at = () => new Date(now).toISOString();
    const stored = (text: string): string => {
      const sessionId = store.newSessionId();
      const log = store.create({ sessionId, cwd: "/project", createdAt: at(), version: 1 });
      appendAll(log, [userSays(text), idle], now);
      log.close();
      now += DAY_MS;
      return sessionId;
    };
    const archive = (sessionId: string, archived: boolean) => {
      const { log } = got(open().open(sessionId));
      log.append({ agentId: ROOT_AGENT, at: at(), update: { sessionUpdate: "archive_update", archived } });
      log.close();
    };
    const listed = async (query: object = {}, from = open()) =>
      (await from.list({ limit: 9, ...query })).sessions.map(({ sessionId }) => sessionId);
    const found = async (query: object = {}, from = open()) =>
      (await from.search({ query: "parser", limit: 9, ...query })).hits.map(({ sessionId }) => sessionId).sort();

    beforeEach(() => {
      now = START;
      root = join(mkdtempSync(join(tmpdir(), "archive-")), "conversations");
      store = open();
    });
    afterEach(() => rmSync(join(root, ".."), { recursive: true, force: true }));

    it("is left out of lists and searches, which show it alone when they are asked for it", async () => {
      const [a, b, c] = [stored("parser one"), stored("parser two"), stored("parser three")];
      expect(await listed({}, store)).toEqual([c, b, a]);
      expect(await found({}, store)).toEqual([a, b, c]);
      archive(b, true);
      for (const from of [store, open()]) {
        expect(await listed({}, from)).toEqual([c, a]);
        expect(await listed({ archived: true }, from)).toEqual([b]);
        expect(await listed({ archived: "include" }, from)).toEqual([c, b, a]);
        expect(await found({}, from)).toEqual([a, c]);
        expect(await found({ archived: true }, from)).toEqual([b]);
      }
      expect((await store.list({ limit: 1 })).total).toBe(2);
      expect(await store.resolve(b)).toEqual({ sessionId: b });
    });

    it("keeps the time of a session, and gives it back its place", async () => {
      const [a, b, c] = [stored("one"), stored("two"), stored("three")];
      const before = (await store.list({ limit: 9 })).sessions;
      archive(b, true);
      const [archived] = (await open().list({ limit: 9, archived: true })).sessions;
      expect(archived).toEqual({ ...before[1], archived: true });
      archive(b, false);
      expect(await listed()).toEqual([c, b, a]);
      expect((await open().list({ limit: 9 })).sessions).toEqual(before);
    });

    it("is left by a session that the person goes on with", async () => {
      const id = stored("one");
      archive(id, true);
      const { log } = got(open().open(id));
      expect(log.digest.archived).toBe(true);
      appendAll(log, [userSays("two")], now);
      expect(log.digest.archived).toBeUndefined();
      log.close();
      expect(await listed()).toEqual([id]);
    });
  });
}
