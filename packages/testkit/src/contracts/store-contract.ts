// The contract of every session store, whatever its files look like. A store's own tests cover its peculiarities.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type FactRange,
  factsOf,
  type LoadedSession,
  LogWriteError,
  lastFactOf,
  MAX_PAGE_LENGTH,
  type SessionLog,
  type SessionStore,
  type StoreProblem,
} from "@harness/core";
import { type Fact, fold, ROOT_AGENT, type StoredFact } from "@harness/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hardText, sampleFacts } from "./sample-facts.ts";

/** A row of the suite: opens a store on an empty folder, or on one left by a store of the same kind. */
export type StoreRow = {
  name: string;
  open(root: string, options: { clock: { now(): number } }): SessionStore;
};

/** A message of the user; every session that is to be kept needs one. */
export function userSays(text: string): Fact {
  return { sessionUpdate: "user_message", messageId: "m", content: [{ type: "text", text }], origin: "user" };
}

export const idle: Fact = { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" };

/** The value of an answer; throws if the answer is a problem. */
export function got<T extends object>(answer: T | StoreProblem): Exclude<T, StoreProblem> {
  if ("problem" in answer) throw new Error(`unexpected problem: ${answer.problem}`);
  return answer as Exclude<T, StoreProblem>;
}

/** The current session, with all its facts. */
export function wholeSession(answer: LoadedSession | StoreProblem) {
  const loaded = got(answer);
  const { header, damage } = loaded;
  return { header, facts: [...factsOf(loaded)], ...(damage === undefined ? {} : { damage }) };
}

/** Appends facts of the root agent, each a second after the previous one. */
export function appendAll(log: SessionLog, facts: readonly Fact[], from: number): StoredFact[] {
  return facts.map((update, index) =>
    log.append({ agentId: ROOT_AGENT, turnId: "t1", at: new Date(from + index * 1000).toISOString(), update }),
  );
}

const START = Date.UTC(2026, 10, 21, 14, 30, 22);

export function sessionStoreContract(row: StoreRow): void {
  describe(`session store: ${row.name}`, () => {
    let root = "";
    let now = START;
    let store: SessionStore;
    const open = () => row.open(root, { clock: { now: () => now } });
    const at = () => new Date(now).toISOString();
    const header = (sessionId: string, cwd = "/project") => ({
      sessionId,
      cwd,
      createdAt: at(),
      version: 1,
      client: "window",
    });
    const begin = (cwd = "/project") => store.create(header(store.newSessionId(), cwd));

    /** A closed session with one message. */
    const stored = (text: string, cwd?: string, title?: string): string => {
      const log = begin(cwd);
      log.append({ agentId: ROOT_AGENT, at: at(), update: userSays(text) });
      if (title) log.append({ agentId: ROOT_AGENT, at: at(), update: { sessionUpdate: "session_info_update", title } });
      log.close();
      now += 1000;
      return log.header.sessionId;
    };

    beforeEach(() => {
      now = START;
      root = join(mkdtempSync(join(tmpdir(), "store-")), "conversations");
      store = open();
    });
    afterEach(() => rmSync(join(root, ".."), { recursive: true, force: true }));

    describe("writing and reading back", () => {
      it("gives back every kind of fact as it was appended, also to another process later", () => {
        const log = begin();
        const appended = appendAll(log, Object.values(sampleFacts), now);
        expect(appended.map((fact) => fact.seq)).toEqual(appended.map((_, index) => index + 1));
        expect([...factsOf(log)]).toEqual(appended);
        log.close();
        expect(wholeSession(open().load(log.header.sessionId))).toEqual({ header: log.header, facts: appended });
      });

      it("means the same after a restart as it did live", () => {
        const log = begin();
        const live = fold(log.header.sessionId, appendAll(log, Object.values(sampleFacts), now));
        log.close();
        const { log: again, loaded } = got(open().open(log.header.sessionId));
        expect(fold(again.header.sessionId, factsOf(loaded))).toEqual(live);
        again.close();
      });

      it("is read in pages, from either end and of some kinds alone, also while it is written", () => {
        const log = begin();
        const said = Array.from({ length: 20 }, (_, index) => [userSays(`number ${index + 1}`), idle]).flat();
        const facts = appendAll(log, said, now);
        const seqs = (range: FactRange) => {
          const page = log.read(range);
          return [...page.facts.map(({ seq }) => seq), page.more ? "more" : "all"];
        };
        expect(seqs({ limit: 3 })).toEqual([1, 2, 3, "more"]);
        expect(seqs({ after: 37 })).toEqual([38, 39, 40, "all"]);
        expect(seqs({ after: 10, before: 13 })).toEqual([11, 12, "all"]);
        expect(seqs({ before: 10, limit: 3 })).toEqual([7, 8, 9, "more"]);
        expect(seqs({ before: 3, limit: 3 })).toEqual([1, 2, "all"]);
        expect(seqs({ before: Number.POSITIVE_INFINITY, kinds: ["user_message"], limit: 2 })).toEqual([37, 39, "more"]);
        expect(seqs({ after: 40 })).toEqual(["all"]);
        expect(seqs({ kinds: ["rewind_update"] })).toEqual(["all"]);
        log.close();
        const { log: again } = got(open().open(log.header.sessionId));
        expect([...factsOf(again, { before: 21 })]).toEqual(facts.slice(0, 20));
        expect(lastFactOf(again, "user_message")).toEqual(facts[38]);
        const [added] = appendAll(again, [idle], now);
        expect(again.read({ after: 39 }).facts).toEqual([facts[39], added]);
        again.close();
      });

      it("has a tail: its last page, or nothing where only all of it can tell", () => {
        const log = begin();
        const { sessionId } = log.header;
        expect(store.tail(sessionId, 3)).toEqual({ facts: [], more: false });
        appendAll(log, [userSays("one"), idle, userSays("two"), idle], now);
        log.close();
        for (const limit of [1, 3, 4, 5]) {
          const last = got(store.load(sessionId)).read({ before: Number.POSITIVE_INFINITY, limit });
          expect([last, { facts: [], more: false }]).toContainEqual(open().tail(sessionId, limit));
        }
        expect(store.tail("../elsewhere", 3)).toEqual({ facts: [], more: false });
      });

      it("ends a page before it grows long, and gives a long fact a page of its own", () => {
        const log = begin();
        const long = "x".repeat(MAX_PAGE_LENGTH);
        appendAll(log, [userSays("hi"), userSays(long), userSays(long), idle, idle], now);
        const pages: number[][] = [];
        for (let after = 0; after < 5; after = pages.at(-1)?.at(-1) ?? 5)
          pages.push(log.read({ after }).facts.map(({ seq }) => seq));
        expect(pages).toEqual([[1], [2], [3], [4, 5]]);
        expect(log.read({ before: 4 }).facts.map(({ seq }) => seq)).toEqual([3]);
        log.close();
      });

      it("keeps a kind that it does not know", () => {
        const log = begin();
        const unknown = { sessionUpdate: "from_the_future", deep: { list: [1, "two", null] } } as unknown as Fact;
        appendAll(log, [userSays("hi"), unknown, idle], now);
        log.close();
        expect(wholeSession(store.load(log.header.sessionId)).facts[1]?.update).toEqual(unknown);
      });

      it("keeps a fact of ten megabytes", () => {
        const log = begin();
        const text = "0123456789".repeat(1024 * 1024);
        appendAll(log, [userSays("hi"), { sessionUpdate: "notice", severity: "info", title: text }, idle], now);
        log.close();
        expect(wholeSession(store.load(log.header.sessionId)).facts[1]?.update).toMatchObject({ title: text });
      });

      it("numbers on after it was opened again", () => {
        const id = stored("hi");
        const { log, loaded } = got(open().open(id));
        expect([...factsOf(loaded)].map((fact) => fact.seq)).toEqual([1]);
        expect(log.append({ agentId: ROOT_AGENT, at: at(), update: idle }).seq).toBe(2);
        expect([...factsOf(log)]).toHaveLength(2);
        log.close();
      });

      it("lets others read while it is written", () => {
        const log = begin();
        appendAll(log, [userSays("hi"), idle], now);
        expect(wholeSession(open().load(log.header.sessionId)).facts).toHaveLength(2);
        log.close();
      });

      it("refuses to write after it was closed", () => {
        const log = begin();
        appendAll(log, [userSays("hi")], now);
        log.close();
        log.close();
        expect(() => appendAll(log, [idle], now)).toThrow(LogWriteError);
        expect(wholeSession(store.load(log.header.sessionId)).facts).toHaveLength(1);
      });
    });

    describe("agents", () => {
      it("numbers the facts of all agents together and gives them back in that order", () => {
        const log = begin();
        log.append({ agentId: ROOT_AGENT, at: at(), update: userSays("hi") });
        log.addAgent("child", ROOT_AGENT);
        log.append({ agentId: "child", at: at(), update: { ...userSays("task"), origin: "subagent" } as Fact });
        log.addAgent("grandchild", "child");
        log.append({ agentId: "grandchild", at: at(), update: idle });
        log.append({ agentId: ROOT_AGENT, at: at(), update: idle });
        log.append({ agentId: "child", at: at(), update: idle });
        log.close();
        const again = got(open().open(log.header.sessionId));
        expect([...factsOf(again.loaded)].map((fact) => [fact.seq, fact.agentId])).toEqual([
          [1, ROOT_AGENT],
          [2, "child"],
          [3, "grandchild"],
          [4, ROOT_AGENT],
          [5, "child"],
        ]);
        expect(again.loaded.damage).toBeUndefined();
        expect(again.log.append({ agentId: "grandchild", at: at(), update: idle }).seq).toBe(6);
        again.log.close();
      });

      it("counts them in the list, and their words are not the session's", async () => {
        const log = begin();
        log.append({ agentId: ROOT_AGENT, at: at(), update: userSays("mine") });
        log.addAgent("child", ROOT_AGENT);
        log.append({ agentId: "child", at: at(), update: userSays("not mine") });
        log.close();
        const [summary] = (await store.list({ limit: 5 })).sessions;
        expect(summary).toMatchObject({ preview: "mine", turns: 1, subagents: 1 });
      });

      it("takes no name that leads out of the session", () => {
        const log = begin();
        appendAll(log, [userSays("hi")], now);
        for (const agentId of ["../../x", "a/b", "", "."]) {
          expect(() => log.append({ agentId, at: at(), update: idle })).toThrow(LogWriteError);
        }
        expect(appendAll(log, [idle], now)[0]?.seq).toBe(2);
        log.close();
      });
    });

    describe("one writer", () => {
      it("refuses a second one, which can still read, until the first one closes", () => {
        const log = begin();
        appendAll(log, [userSays("hi")], now);
        const other = open();
        const { sessionId } = log.header;
        expect(other.open(sessionId)).toMatchObject({
          kind: "locked",
          problem: expect.stringContaining(String(process.pid)),
        });
        expect(wholeSession(other.load(sessionId)).facts).toHaveLength(1);
        expect(other.remove(sessionId)).toMatchObject({ kind: "locked" });
        log.close();
        const second = got(other.open(sessionId));
        expect(store.open(sessionId)).toMatchObject({ kind: "locked" });
        second.log.close();
      });
    });

    describe("what stays", () => {
      it("leaves nothing behind before the first fact, nor without a message of a person", async () => {
        const log = begin();
        expect(namesIn(root)).toEqual([]);
        appendAll(log, [sampleFacts.config_option_update, sampleFacts.notice], now);
        expect((await store.list({ limit: 5 })).sessions).toEqual([]);
        log.close();
        // Files shared by all sessions may stay.
        expect(namesIn(root).filter((name) => !name.startsWith("."))).toEqual([]);
      });

      it("keeps everything from other users", () => {
        const log = begin();
        appendAll(log, [userSays("hi"), idle], now);
        log.addAgent("child", ROOT_AGENT);
        log.append({ agentId: "child", at: at(), update: idle });
        log.newBlob(".txt");
        log.close();
        const open = namesIn(root, true).filter((name) => (statSync(join(root, name)).mode & 0o077) !== 0);
        expect(open).toEqual([]);
        expect(statSync(root).mode & 0o077).toBe(0);
      });

      it("makes blobs that are new, empty, inside the session, and stay", () => {
        const log = begin();
        appendAll(log, [userSays("hi")], now);
        const paths = [log.newBlob(".txt"), log.newBlob(".txt"), log.newBlob("/../../x.png")];
        const saved = log.saveText(hardText);
        log.close();
        expect(readFileSync(saved, "utf8")).toBe(hardText.toWellFormed());
        expect(new Set([...paths, saved]).size).toBe(4);
        for (const path of paths) {
          expect(path.startsWith(join(root, log.header.sessionId))).toBe(true);
          expect(readFileSync(path, "utf8")).toBe("");
        }
      });

      it("removes a session and only that", async () => {
        const [one, two] = [stored("one"), stored("two")];
        expect(store.remove(one)).toEqual({ removed: true });
        expect(store.remove(one)).toMatchObject({ kind: "not_found" });
        expect(store.load(one)).toMatchObject({ kind: "not_found" });
        expect((await store.list({ limit: 5 })).sessions.map((each) => each.sessionId)).toEqual([two]);
        for (const name of ["", ".", "..", "../conversations", two.slice(0, -1)]) {
          expect(store.remove(name)).toMatchObject({ kind: "not_found" });
        }
        expect(wholeSession(store.load(two)).facts).toHaveLength(1);
      });
    });

    describe("finding", () => {
      it("makes ids that are readable, sort by time, and are not taken", () => {
        // Enough in one second that chance alone would produce duplicates.
        const ids = Array.from({ length: 4000 }, () => store.newSessionId());
        expect(new Set(ids).size).toBe(ids.length);
        for (const id of ids) expect(id).toMatch(/^\d{8}-\d{6}-[a-z0-9]{4}$/);
        now += 24 * 3600 * 1000;
        expect(store.newSessionId() > String(ids[0])).toBe(true);
      });

      it("finds by id, unique beginning and title in any case", async () => {
        const id = stored("hi", "/a", "Repair the Tests");
        now += 24 * 3600 * 1000;
        const other = stored("ho", "/b", "Other");
        expect(await store.resolve(id)).toEqual({ sessionId: id });
        expect(await store.resolve(id.slice(0, 8))).toEqual({ sessionId: id });
        expect(await store.resolve(" repair THE tests ")).toEqual({ sessionId: id });
        expect(await store.resolve("2026")).toMatchObject({ kind: "ambiguous", candidates: [id, other] });
        expect(got(store.load(other.slice(0, 8))).header.cwd).toBe("/b");
        expect(store.open("2026")).toMatchObject({ kind: "ambiguous" });
      });

      it("follows a session to the folder that it was taken along to", async () => {
        const id = stored("hi", "/a");
        const { log } = got(store.open(id));
        const place = { id: "1 2 3", commit: "c", below: "" };
        const update = { sessionUpdate: "folder_update", cwd: "/b", from: "/a", place } as const;
        log.append({ agentId: ROOT_AGENT, at: at(), update });
        log.close();
        expect(got(store.load(id)).header).toMatchObject({ cwd: "/b", place });
        expect((await store.list({ cwd: "/a", limit: 5 })).sessions).toEqual([]);
        expect((await store.list({ cwd: "/b", limit: 5 })).sessions).toMatchObject([{ sessionId: id, place }]);
        const again = got(store.open(id));
        expect(again.log.header).toMatchObject({ cwd: "/b", place });
        again.log.close();
      });

      it("does not choose between two of the same title", async () => {
        const ids = [stored("hi", "/a", "Twin"), stored("ho", "/b", "twin")];
        expect(await store.resolve("twin")).toMatchObject({ kind: "ambiguous", candidates: ids });
      });

      it("says that there is none, whatever the name looks like", async () => {
        stored("hi");
        for (const name of ["", " ", "nope", "..", "../..", "/etc", "a\0b", "%2e%2e", "x".repeat(5000)]) {
          expect(await store.resolve(name)).toMatchObject({ kind: "not_found" });
          expect(store.load(name)).toMatchObject({ kind: "not_found" });
          expect(store.open(name)).toMatchObject({ kind: "not_found" });
          expect(store.inspect(name)).toMatchObject({ kind: "not_found" });
        }
      });

      it("describes a session without opening it", () => {
        const log = begin();
        appendAll(log, [userSays("  look\n at  this "), sampleFacts.config_option_update, idle], now);
        log.close();
        expect(got(store.inspect(log.header.sessionId))).toMatchObject({
          session: { sessionId: log.header.sessionId, preview: "look at this", turns: 1, state: "stored" },
          config: { model: "small-model" },
          seq: 3,
        });
      });
    });

    describe("the list", () => {
      it("is empty where nothing was ever stored", async () => {
        expect(await store.list({ limit: 5 })).toEqual({ sessions: [], total: 0 });
      });

      it("shows what people look for, the latest used first", async () => {
        const log = begin();
        appendAll(log, Object.values(sampleFacts), now);
        log.close();
        now -= 3600 * 1000;
        const older = stored("older");
        const { sessions } = await open().list({ limit: 5 });
        expect(sessions.map((each) => each.sessionId)).toEqual([log.header.sessionId, older]);
        expect(sessions[0]).toEqual({
          sessionId: log.header.sessionId,
          cwd: "/project",
          title: "Repair the Tests",
          preview: expect.stringMatching(/^a b c d/),
          createdAt: log.header.createdAt,
          updatedAt: new Date(START + (Object.keys(sampleFacts).length - 1) * 1000).toISOString(),
          turns: 1,
          subagents: 0,
          client: "window",
          model: "small-model",
          provider: "local",
          answer: expect.any(String),
          state: "stored",
        });
      });

      it("filters by folder, and by words that are all in title, first message, id or folder", async () => {
        const a = stored("Fix the PARSER", "/a");
        const b = stored("hello", "/b", "Parser again");
        const ids = async (query: object) =>
          (await store.list({ limit: 5, ...query })).sessions.map((each) => each.sessionId);
        expect(await ids({ cwd: "/a" })).toEqual([a]);
        expect(await ids({ cwd: "/" })).toEqual([]);
        expect(await ids({ query: "parser" })).toEqual([b, a]);
        expect(await ids({ query: "parser", cwd: "/b" })).toEqual([b]);
        expect(await ids({ query: a.toUpperCase() })).toEqual([a]);
        expect(await ids({ query: "  again   PARSER" })).toEqual([b]);
        expect(await ids({ query: "parser /a" })).toEqual([a]);
        expect(await ids({ query: "nothing of the kind" })).toEqual([]);
      });

      it("comes in pages, each session once, also when one is used between two pages", async () => {
        const ids = Array.from({ length: 8 }, (_, index) => stored(`number ${index}`));
        const first = await store.list({ limit: 3 });
        const again = got(store.open(String(ids[0])));
        again.log.append({ agentId: ROOT_AGENT, at: at(), update: idle });
        again.log.close();
        const second = await store.list({ limit: 3, cursor: first.nextCursor });
        const third = await store.list({ limit: 3, cursor: second.nextCursor });
        const seen = [first, second, third].flatMap((page) => page.sessions.map((each) => each.sessionId));
        expect(seen).toEqual(ids.slice(1).reverse());
        expect(third.nextCursor).toBeUndefined();
        expect([first, second, third].map(({ total }) => total)).toEqual([8, 8, 8]);
      });

      it("follows a session that another process goes on with", async () => {
        const id = stored("hi");
        await store.list({ limit: 5 });
        const { log } = got(open().open(id));
        appendAll(log, [userSays("more"), sampleFacts.session_info_update], now);
        expect((await store.list({ limit: 5 })).sessions[0]).toMatchObject({ turns: 2, title: "Repair the Tests" });
        log.close();
        expect((await store.list({ limit: 5 })).sessions[0]).toMatchObject({ turns: 2, title: "Repair the Tests" });
      });
    });
  });
}

function namesIn(root: string, deep = false): string[] {
  try {
    return readdirSync(root, { recursive: deep, encoding: "utf8" });
  } catch {
    return [];
  }
}
