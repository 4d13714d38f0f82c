// The contract of the bin, of every session store.
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DeletedSession, SessionLog, SessionStore } from "@harness/core";
import { ROOT_AGENT } from "@harness/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { appendAll, got, idle, type StoreRow, userSays, wholeSession } from "./store-contract.ts";

const START = Date.UTC(2026, 10, 21, 14, 30, 22);
const DAY_MS = 24 * 3600 * 1000;

export function sessionBinContract(row: StoreRow): void {
  describe(`bin: ${row.name}`, () => {
    let root = "";
    let now = START;
    let store: SessionStore;
    let cleaned: DeletedSession[] = [];
    const bin = () => join(dirname(root), "deleted");
    const open = () => row.open(root, { clock: { now: () => now } });
    const at = () => new Date(now).toISOString();
    const begin = (text: string, title?: string): SessionLog => {
      const log = store.create({ sessionId: store.newSessionId(), cwd: "/project", createdAt: at(), version: 1 });
      appendAll(log, [userSays(text)], now);
      if (title) log.append({ agentId: ROOT_AGENT, at: at(), update: { sessionUpdate: "session_info_update", title } });
      now += 1000;
      return log;
    };
    const stored = (text: string, title?: string): string => {
      const log = begin(text, title);
      log.close();
      return log.header.sessionId;
    };
    const listed = async () => (await open().list({ limit: 9 })).sessions.map(({ sessionId }) => sessionId);
    const binned = async () => {
      const { sessions } = await open().bin.list({ limit: 9 });
      return sessions.map(({ sessionId, deleted }) => [sessionId, deleted?.daysLeft]);
    };
    const cleanUp = (session: DeletedSession) => {
      const isThere = existsSync(session.folder);
      return async () => {
        cleaned.push(isThere && !existsSync(session.folder) ? session : { ...session, folder: "wrong" });
      };
    };
    const empty = () => open().bin.empty(new AbortController().signal, cleanUp);
    /** As on days on which harness is used. */
    const passDays = async (days: number) => {
      for (let day = 0; day < days; day += 1) {
        now += DAY_MS;
        await empty();
      }
    };

    beforeEach(() => {
      now = START;
      cleaned = [];
      root = join(mkdtempSync(join(tmpdir(), "bin-")), "conversations");
      store = open();
    });
    afterEach(() => rmSync(dirname(root), { recursive: true, force: true }));

    it("lists what was deleted last first", async () => {
      const [old, young] = [stored("old"), stored("young")];
      await store.bin.put(young);
      now += 1000;
      await store.bin.put(old);
      expect(await binned()).toEqual([
        [old, 30],
        [young, 30],
      ]);
      const page = await open().bin.list({ limit: 1 });
      const next = await open().bin.list({ limit: 1, cursor: page.nextCursor ?? "" });
      expect(next.sessions.map(({ sessionId }) => sessionId)).toEqual([young]);
    });

    it("has a session whole, which nothing else finds, and gives it back as it was", async () => {
      const log = begin("parser", "The Parser");
      const saved = log.saveText("a long output");
      log.addAgent("child", ROOT_AGENT);
      log.append({ agentId: "child", at: at(), update: idle });
      log.close();
      const { sessionId } = log.header;
      const other = stored("other");
      const before = { facts: wholeSession(open().load(sessionId)), list: await open().list({ limit: 9 }) };
      expect(await store.bin.put(sessionId)).toEqual({ deleted: true });
      expect(readdirSync(root).filter((name) => !name.startsWith("."))).toEqual([other]);
      for (const name of [sessionId, "the parser"])
        for (const from of [store, open()]) {
          expect(await from.resolve(name)).toMatchObject({ kind: "not_found" });
          expect(from.load(name)).toMatchObject({ kind: "not_found" });
          expect(from.open(name)).toMatchObject({ kind: "not_found" });
          expect(from.folderOf(name)).toBeUndefined();
        }
      expect((await store.search({ query: "parser", limit: 9 })).hits).toEqual([]);
      expect(await listed()).toEqual([other]);
      expect(await binned()).toEqual([[sessionId, 30]]);
      expect((await open().bin.list({ limit: 9 })).sessions[0]).toMatchObject({
        title: "The Parser",
        subagents: 1,
        deleted: { at: at(), daysLeft: 30 },
      });
      expect(await store.bin.put(sessionId)).toMatchObject({ kind: "not_found" });
      expect(await open().bin.restore("the parser")).toEqual({ sessionId, folder: join(root, sessionId) });
      expect(wholeSession(open().load(sessionId))).toEqual(before.facts);
      expect(await open().list({ limit: 9 })).toEqual(before.list);
      expect((await store.search({ query: "parser", limit: 9 })).hits).toHaveLength(1);
      expect(readFileSync(saved, "utf8")).toBe("a long output");
      expect(got(open().open(sessionId)).log.close()).toBeUndefined();
      expect(await binned()).toEqual([]);
      expect(await open().bin.restore(sessionId)).toMatchObject({ kind: "not_found" });
    });

    it("keeps a session for thirty days, and removes it then, with what it has elsewhere", async () => {
      const first = stored("one");
      await store.bin.put(first);
      await passDays(10);
      const second = stored("two");
      await store.bin.put(second);
      await passDays(19);
      expect(await binned()).toEqual([
        [second, 11],
        [first, 1],
      ]);
      await passDays(1);
      expect(await binned()).toEqual([[second, 10]]);
      expect(cleaned.map(({ sessionId }) => sessionId)).toEqual([first]);
      expect(cleaned[0]?.folder.startsWith(bin())).toBe(true);
      await passDays(10);
      expect(await binned()).toEqual([]);
      expect(readdirSync(bin())).toEqual(["clock.json"]);
    });

    it.each([
      ["forward for good", [DAY_MS * 4000]],
      ["forward and back", [DAY_MS * 4000, -DAY_MS * 4000]],
      ["back and forward again, as after each start without a battery", [-DAY_MS * 20_000, DAY_MS * 20_000]],
    ])("keeps it also when the clock jumps: %s", async (_name, jumps) => {
      const id = stored("one");
      await store.bin.put(id);
      for (let start = 0; start < 5; start += 1)
        for (const jump of jumps) {
          now += jump;
          await empty();
        }
      expect((await binned()).map(([sessionId]) => sessionId)).toEqual([id]);
      await passDays(30);
      expect(await binned()).toEqual([]);
    });

    it("keeps it also when the clock was wrong as it was deleted, or the count is lost", async () => {
      now = 0;
      const id = stored("one");
      await store.bin.put(id);
      now = START;
      await empty();
      expect(await binned()).toEqual([[id, 29]]);
      await passDays(5);
      rmSync(join(bin(), "clock.json"));
      await passDays(28);
      expect(await listed()).toEqual([]);
      expect((await binned()).map(([sessionId]) => sessionId)).toEqual([id]);
      expect(await open().bin.restore(id)).toMatchObject({ sessionId: id });
      expect(await listed()).toEqual([id]);
    });

    it("takes no session that is open, none twice, and no place that is taken", async () => {
      const log = begin("one");
      const { sessionId } = log.header;
      expect(await open().bin.put(sessionId)).toMatchObject({ kind: "locked" });
      expect(await store.bin.put("../x")).toMatchObject({ kind: "not_found" });
      expect(await store.bin.put("")).toMatchObject({ kind: "not_found" });
      log.close();
      await store.bin.put(sessionId);
      const again = store.create({ sessionId, cwd: "/project", createdAt: at(), version: 1 });
      appendAll(again, [userSays("another")], now);
      again.close();
      expect(await store.bin.restore(sessionId)).toMatchObject({ kind: "taken" });
      expect((await store.list({ limit: 9 })).sessions.map(({ preview }) => preview)).toEqual(["another"]);
      now += DAY_MS;
      await store.bin.put(sessionId);
      expect((await store.bin.list({ limit: 9 })).sessions.map(({ preview }) => preview)).toEqual(["another"]);
      await store.bin.restore(sessionId);
      expect((await store.bin.list({ limit: 9 })).sessions.map(({ preview }) => preview)).toEqual(["one"]);
      expect(await store.bin.discard(sessionId, cleanUp)).toEqual({ removed: true });
      expect(await binned()).toEqual([]);
      expect(await listed()).toEqual([sessionId]);
    });

    it("names the candidates of an ambiguous name", async () => {
      const ids = [stored("one", "Same"), stored("two", "Same")];
      for (const id of ids) await store.bin.put(id);
      for (const name of ["same", "2026"])
        expect(await store.bin.restore(name)).toMatchObject({ kind: "ambiguous", candidates: ids.toSorted() });
    });

    it("has forks whole, and leaves them whole when their parent goes", async () => {
      const parent = stored("shared");
      const forkOf = (name: string) => {
        const log = got(store.fork(name, { sessionId: store.newSessionId(), createdAt: at(), seq: 1 }));
        appendAll(log, [userSays("own"), idle], now);
        log.close();
        return log.header.sessionId;
      };
      const [kept, gone] = [forkOf(parent), forkOf(parent)];
      const seqs = (name: string) => {
        const { facts, damage } = wholeSession(open().load(name));
        return [facts.map(({ seq }) => seq), damage];
      };
      await store.bin.put(gone);
      await store.bin.put(parent);
      expect(seqs(kept)).toEqual([[1, 2, 3], undefined]);
      await passDays(31);
      const later = stored("later");
      expect(await listed()).toEqual([later, kept]);
      expect(seqs(kept)).toEqual([[1, 2, 3], undefined]);
    });

    it("gives a fork back whole whose parent is gone for good", async () => {
      const parent = stored("shared");
      const log = got(store.fork(parent, { sessionId: store.newSessionId(), createdAt: at(), seq: 1 }));
      appendAll(log, [userSays("own"), idle], now);
      log.close();
      await store.bin.put(log.header.sessionId);
      expect(store.remove(parent)).toEqual({ removed: true });
      await store.bin.restore(log.header.sessionId);
      const { facts, damage } = wholeSession(open().load(log.header.sessionId));
      expect([facts.map(({ seq }) => seq), damage]).toEqual([[1, 2, 3], undefined]);
    });

    it("goes on after a crash, and says what it cannot use", async () => {
      const id = stored("one");
      await store.bin.put(id);
      const [entry = ""] = readdirSync(bin()).filter((name) => name.startsWith(id));
      // Killed before the session was moved, and while one was removed.
      writeFileSync(join(bin(), ".trash-x"), "");
      const other = stored("two");
      await store.bin.put(other);
      const [second = ""] = readdirSync(bin()).filter((name) => name.startsWith(other));
      renameSync(join(bin(), second, other), join(root, other));
      expect(await listed()).toEqual([other]);
      expect(await binned()).toEqual([[id, 30]]);
      expect(await store.bin.put(other)).toEqual({ deleted: true });
      expect(await binned()).toEqual([
        [other, 30],
        [id, 30],
      ]);
      writeFileSync(join(bin(), entry, "entry.json"), "{");
      const { sessions, problems } = await open().bin.list({ limit: 9 });
      expect(sessions.map(({ sessionId }) => sessionId)).toEqual([other]);
      expect(problems).toEqual([expect.stringContaining(join(bin(), entry))]);
      await passDays(31);
      expect(readdirSync(bin()).filter((name) => name.startsWith(".trash-"))).toEqual([]);
      expect(existsSync(join(bin(), entry, id))).toBe(true);
    });
  });
}
