// The contract of forks, of every session store.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { factsOf, type SessionLog, type SessionStore } from "@harness/core";
import { type Fact, ROOT_AGENT } from "@harness/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { appendAll, got, idle, type StoreRow, userSays, wholeSession } from "./store-contract.ts";

const START = Date.UTC(2026, 10, 21, 14, 30, 22);

export function sessionForkContract(row: StoreRow): void {
  describe(`forks: ${row.name}`, () => {
    let root = "";
    const now = START;
    let store: SessionStore;
    const open = () => row.open(root, { clock: { now: () => now } });
    const at = () => new Date(now).toISOString();
    const begin = () =>
      store.create({
        sessionId: store.newSessionId(),
        cwd: "/project",
        createdAt: at(),
        version: 1,
        client: "window",
      });
    const stored = (text: string): string => {
      const log = begin();
      appendAll(log, [userSays(text)], now);
      log.close();
      return log.header.sessionId;
    };
    const sessions = () => readdirSync(root).filter((name) => !name.startsWith("."));

    beforeEach(() => {
      root = join(mkdtempSync(join(tmpdir(), "forks-")), "conversations");
      store = open();
    });
    afterEach(() => rmSync(join(root, ".."), { recursive: true, force: true }));

    const fork = (name: string, seq: number) =>
      got(store.fork(name, { sessionId: store.newSessionId(), createdAt: at(), seq }));
    const texts = (name: string) =>
      wholeSession(open().load(name)).facts.flatMap(({ update }) =>
        update.sessionUpdate === "user_message" ? [update.messageId] : [],
      );
    const say = (log: SessionLog, messageId: string) =>
      appendAll(log, [{ ...userSays(messageId), messageId } as Fact, idle], now);

    it("go on from a fact of another session, which goes on by itself", async () => {
      const log = begin();
      const shared = [...say(log, "one"), ...say(log, "two")];
      const { sessionId } = log.header;
      const other = fork(sessionId, 2);
      expect(other.header).toMatchObject({ cwd: "/project", client: "window", parent: { sessionId, seq: 2 } });
      expect([...factsOf(other)]).toEqual(shared.slice(0, 2));
      expect(other.digest).toMatchObject({ turns: 1, preview: "one", parent: { sessionId, seq: 2 } });
      const own = say(other, "three");
      expect(own.map(({ seq }) => seq)).toEqual([3, 4]);
      say(log, "four");
      other.close();
      log.close();
      expect(texts(sessionId)).toEqual(["one", "two", "four"]);
      expect(texts(other.header.sessionId)).toEqual(["one", "three"]);
      const again = got(open().open(other.header.sessionId));
      expect([...factsOf(again.log)]).toEqual([...shared.slice(0, 2), ...own]);
      expect(again.loaded.damage).toBeUndefined();
      say(again.log, "five");
      again.log.close();
      const page = await open().list({ limit: 5 });
      expect(page.sessions.map(({ turns, parent, preview }) => [turns, parent?.seq, preview]).sort()).toEqual([
        [3, undefined, "one"],
        [3, 2, "one"],
      ]);
    });

    it("leave nothing behind before their first own fact", () => {
      const id = stored("hi");
      fork(id, 1).close();
      expect(sessions()).toEqual([id]);
    });

    it("can be forked, and stay whole when a parent is deleted, with the saved texts", () => {
      const log = begin();
      say(log, "one");
      const saved = log.saveText("a long output");
      appendAll(log, [{ sessionUpdate: "notice", severity: "info", title: `Saved to ${saved}.` }], now);
      log.addAgent("child", ROOT_AGENT);
      log.append({ agentId: "child", at: at(), update: idle });
      log.close();
      const middle = fork(log.header.sessionId, 4);
      say(middle, "two");
      middle.close();
      const last = fork(middle.header.sessionId, 5);
      say(last, `three, as in ${saved}`);
      expect(last.isOwnText(saved)).toBe(true);
      last.close();
      const before = wholeSession(open().load(last.header.sessionId)).facts;
      expect(before.map(({ agentId }) => agentId)).toEqual(["main", "main", "main", "child", "main", "main", "main"]);
      expect(store.remove(middle.header.sessionId)).toEqual({ removed: true });
      expect(store.remove(log.header.sessionId)).toEqual({ removed: true });
      expect(sessions()).toEqual([last.header.sessionId]);
      const whole = got(open().open(last.header.sessionId));
      expect(whole.loaded.damage).toBeUndefined();
      // It keeps its place in the tree of sessions.
      expect(whole.log.header.parent).toEqual({ sessionId: middle.header.sessionId, seq: 0 });
      const facts = [...factsOf(whole.log)];
      expect(facts.map(({ seq, agentId }) => [seq, agentId])).toEqual(before.map(({ seq, agentId }) => [seq, agentId]));
      const notice = facts[2]?.update;
      const path = notice?.sessionUpdate === "notice" ? notice.title.slice("Saved to ".length, -1) : "";
      expect(path.startsWith(join(root, last.header.sessionId))).toBe(true);
      expect(JSON.stringify(facts)).not.toContain(saved);
      expect(readFileSync(path, "utf8")).toBe("a long output");
      expect(whole.log.isOwnText(path)).toBe(true);
      whole.log.close();
    });

    it.each(["for good", "into the bin"])("go on while their parents are deleted %s", async (how) => {
      const log = begin();
      say(log, "one");
      const saved = log.saveText("a long output");
      appendAll(log, [{ sessionUpdate: "notice", severity: "info", title: `Saved to ${saved}.` }], now);
      log.close();
      const middle = fork(log.header.sessionId, 3);
      say(middle, "two");
      middle.close();
      const last = fork(middle.header.sessionId, 5);
      const { sessionId } = last.header;
      say(last, "three");
      const remove = (id: string) => (how === "for good" ? open().remove(id) : open().bin.put(id));
      expect(await remove(middle.header.sessionId)).not.toHaveProperty("problem");
      expect(await remove(log.header.sessionId)).not.toHaveProperty("problem");
      expect(sessions()).toEqual([sessionId]);
      // Its own process, a second, and a fork of it.
      expect([...factsOf(last)].map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(texts(sessionId)).toEqual(["one", "two", "three"]);
      const other = fork(sessionId, 7);
      say(other, "other");
      other.close();
      say(last, "four");
      last.close();
      const whole = got(open().open(sessionId));
      expect(whole.loaded.damage).toBeUndefined();
      expect(whole.log.header.parent).toEqual({ sessionId: middle.header.sessionId, seq: 0 });
      expect(whole.log.outsideChanges()).toEqual([]);
      const path = [...factsOf(whole.log)]
        .flatMap(({ update }) => (update.sessionUpdate === "notice" ? [update.title] : []))
        .map((title) => title.slice("Saved to ".length, -1));
      expect(path).toHaveLength(1);
      expect(readFileSync(path[0] ?? "", "utf8")).toBe("a long output");
      expect(path[0]?.startsWith(join(root, sessionId))).toBe(true);
      whole.log.close();
      expect(readdirSync(join(root, sessionId), { recursive: true }).join()).not.toContain("shared");
      expect(texts(sessionId)).toEqual(["one", "two", "three", "four"]);
      expect(texts(other.header.sessionId)).toEqual(["one", "two", "three", "other"]);
      expect(open().remove(sessionId)).toEqual({ removed: true });
      expect(texts(other.header.sessionId)).toEqual(["one", "two", "three", "other"]);
    });

    it("say so when what they share is gone, and keep the rest", () => {
      const id = stored("hi");
      const other = fork(id, 1);
      say(other, "more");
      other.close();
      rmSync(join(root, id), { recursive: true });
      const loaded = wholeSession(open().load(other.header.sessionId));
      expect(loaded.damage).toContain(`shares with session ${id}`);
      // A format may find the shared messages elsewhere; those follow.
      expect(loaded.facts.map(({ seq }) => seq).slice(0, 3)).toEqual([1, 2, 3]);
      expect(got(open().open(other.header.sessionId)).log.close()).toBeUndefined();
    });

    it("do not begin from what is not there", () => {
      expect(store.fork("nope", { sessionId: store.newSessionId(), createdAt: at(), seq: 1 })).toMatchObject({
        kind: "not_found",
      });
    });
  });
}
