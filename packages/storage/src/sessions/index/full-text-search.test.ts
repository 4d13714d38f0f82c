import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { SearchReport, SessionSearch } from "@harness/core";
import { type Fact, ROOT_AGENT } from "@harness/protocol";
import { appendAll, got, idle, sampleFacts, userSays } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore, type StoreOptions } from "../session-store.ts";
import { termsOf } from "./search-words.ts";
import { TextIndex } from "./text-index.ts";

const AT = Date.UTC(2026, 10, 21);

let root = "";
let now = AT;
const indexPath = () => join(root, ".search.db");
const store = (options: Partial<StoreOptions> = {}) =>
  openStore(root, { clock: { now: () => now }, searchLimits: { indexMs: 60_000, logMs: 60_000 }, ...options });
const search = (query: string, more: Partial<SessionSearch> = {}, from = store()) =>
  from.search({ query, limit: 50, ...more });
const seqs = ({ hits }: SearchReport) => hits.map(({ seq }) => seq);
const ids = ({ hits }: SearchReport) => [...new Set(hits.map(({ sessionId }) => sessionId))];

function answers(text: string, ...calls: { name: string; input: Record<string, unknown> }[]): Fact {
  const parts = [
    { type: "text" as const, text },
    ...calls.map((call, n) => ({ type: "tool_call" as const, toolCallId: `c${n}`, ...call })),
  ];
  return { sessionUpdate: "agent_message", messageId: "a", parts, stop: "end", provider: "p", model: "small-model" };
}

function leave(facts: Fact[], { cwd = "/project", child = [] as Fact[] } = {}): string {
  now += 60_000;
  const createdAt = new Date(now).toISOString();
  const log = store().create({ sessionId: store().newSessionId(), cwd, createdAt, version: 1 });
  appendAll(log, [...facts, idle], now);
  if (child.length > 0) {
    log.append({ agentId: ROOT_AGENT, at: createdAt, update: sampleFacts.subagent_update });
    log.addAgent("child", ROOT_AGENT);
    for (const update of child) log.append({ agentId: "child", at: createdAt, update });
  }
  log.close();
  return log.header.sessionId;
}

/** The index as another program sees and changes it. */
function inDatabase(path: string, statement: string): void {
  const Sqlite = process.getBuiltinModule("node:sqlite");
  const db = new Sqlite.DatabaseSync(path);
  db.exec(statement);
  db.close();
}

function whole(path: string): Buffer {
  inDatabase(path, "PRAGMA wal_checkpoint(TRUNCATE)");
  return readFileSync(path);
}

function more(sessionId: string, ...facts: Fact[]): void {
  now += 60_000;
  const { log } = got(store().open(sessionId));
  appendAll(log, facts, now);
  log.close();
}

beforeEach(() => {
  now = AT;
  root = mkdtempSync(join(tmpdir(), "search-"));
});
afterEach(() => {
  chmodSync(root, 0o700);
  rmSync(root, { recursive: true, force: true });
});

describe("a search finds", () => {
  it("messages, answers, calls and names of files, of all agents, but no results of tools", async () => {
    const files: Fact = {
      ...{ sessionUpdate: "turn_changes", before: "a", after: "b", moreFiles: 0, added: 1, removed: 0 },
      files: [{ path: "src/quince.ts", change: "modify", added: 1, removed: 0 }],
    } as Fact;
    const call = { name: "bash", input: { command: "grep -rn cherry lib" } };
    const result: Fact = {
      ...{ sessionUpdate: "tool_call_update", toolCallId: "c0", status: "completed" },
      outcome: { status: "ok", text: "pineapple", blocks: [], durationMs: 1 },
    } as Fact;
    const id = leave([userSays("the apple"), answers("a banana", call), result, files], {
      child: [answers("a date")],
    });
    const kinds = async (query: string) =>
      (await search(query)).hits.map(({ kind, agentId }) => `${kind} of ${agentId}`);
    expect(await kinds("apple")).toEqual(["message of main"]);
    expect(await kinds("banana")).toEqual(["answer of main"]);
    expect(await kinds("cherry")).toEqual(["command of main"]);
    expect(await kinds("quince.ts")).toEqual(["file of main"]);
    expect(await kinds("date")).toEqual(["answer of child"]);
    expect(await kinds("pineapple")).toEqual([]);
    expect(await search("apple")).toEqual({
      hits: [
        {
          ...{ sessionId: id, title: "the apple", folder: "/project", seq: 1, agentId: "main", kind: "message" },
          ...{ at: new Date(AT + 60_000).toISOString(), excerpt: "the apple" },
        },
      ],
      count: 1,
      pending: 0,
    });
  });

  it("what has all words, else what has any; the rare word counts more; characters of its syntax mean nothing", async () => {
    const both = leave([userSays("parser cache")]);
    const one = leave([userSays("the cache alone")]);
    expect(ids(await search("cache parser"))).toEqual([both]);
    expect(ids(await search("parser nowhere"))).toEqual([both]);
    expect(ids(await search("cache nowhere")).sort()).toEqual([both, one].sort());
    for (const query of ['"', "AND", "cache*", "(cache", "cache:parser", "-cache", "NEAR(a b)", "^cache", "%", "\0"])
      expect((await search(query)).problems, query).toBeUndefined();
    expect((await search(" ")).hits).toEqual([]);
  });

  it("only what is wanted: of a folder, a model, since a time, and so many", async () => {
    const here = leave([userSays("the word"), answers("the word")]);
    const there = leave([userSays("the word")], { cwd: "/other" });
    const since = new Date(now).toISOString();
    expect(ids(await search("word", { folder: "/other" }))).toEqual([there]);
    expect(ids(await search("word", { model: "Small" }))).toEqual([here]);
    expect(ids(await search("word", { since }))).toEqual([there]);
    expect(await search("word", { limit: 1 })).toMatchObject({ count: 3, hits: [{}] });
    more(here, userSays("new word"));
    expect(seqs(await search("word", { since, folder: "/project" }))).toHaveLength(1);
  });

  it("the same without an index, but for the order", async () => {
    const texts = ["parser", "parser cache", "the parserCache of src/a.ts", "検索する", "Café", "nothing"];
    for (const text of texts) leave([userSays(text)]);
    const queries = [
      "parser",
      "cache",
      "parser cache",
      "cache parser",
      '"parser cache"',
      "検索",
      "cafe",
      "src/a.ts",
      "zzz",
    ];
    const found = async () => {
      const all: [string, string[], number][] = [];
      for (const query of queries) {
        const result = await search(query);
        all.push([query, ids(result).sort(), result.count]);
      }
      return all;
    };
    const indexed = await found();
    rmSync(indexPath());
    mkdirSync(indexPath());
    expect(await found()).toEqual(indexed);
    expect(indexed[0]?.[1]).toHaveLength(3);
  });
});

describe("the index follows the sessions", () => {
  it("that grow, are cut, edited, replaced, deleted or copied", async () => {
    const id = leave([userSays("first word")]);
    expect(seqs(await search("word"))).toEqual([1]);
    more(id, userSays("second word"), idle);
    expect(seqs(await search("word")).sort()).toEqual([1, 3]);
    const log = join(root, id, "log.jsonl");
    const whole = readFileSync(log, "utf8");

    writeFileSync(log, `${whole.split("\n").slice(0, 2).join("\n")}\n`);
    expect(seqs(await search("word"))).toEqual([1]);
    writeFileSync(log, whole);
    expect(seqs(await search("word")).sort()).toEqual([1, 3]);

    mkdirSync(join(root, "20990101-000000-copy"));
    writeFileSync(join(root, "20990101-000000-copy", "log.jsonl"), whole);
    expect(ids(await search("word"))).toContain("20990101-000000-copy");
    rmSync(join(root, "20990101-000000-copy"), { recursive: true });
    expect(ids(await search("word"))).toEqual([id]);
    store().remove(id);
    expect(await search("word")).toEqual({ hits: [], count: 0, pending: 0 });
  });

  it("whose subagent alone goes on", async () => {
    const id = leave([userSays("hello")], { child: [answers("early")] });
    expect(seqs(await search("late"))).toEqual([]);
    const { log } = got(store().open(id));
    log.append({ agentId: "child", at: new Date(now).toISOString(), update: answers("late") });
    log.close();
    expect(seqs(await search("late"))).toHaveLength(1);
  });

  it("whose titles and folders change: those come from the session, never from the index", async () => {
    const id = leave([userSays("hello word")], { cwd: "/gone" });
    await search("word");
    more(id, { sessionUpdate: "session_info_update", title: "Renamed" });
    expect((await search("word")).hits).toMatchObject([{ title: "Renamed", folder: "/gone" }]);
  });

  it("that were written while the clock was wrong", async () => {
    const first = leave([userSays("a word")]);
    await search("word");
    now = Date.UTC(2001, 0, 1);
    const past = leave([userSays("a word")]);
    now = Date.UTC(2090, 0, 1);
    const future = leave([userSays("a word")]);
    now = AT;
    more(first, userSays("another word"));
    const found = await search("word");
    expect(found.count).toBe(4);
    expect(ids(found).sort()).toEqual([first, past, future].sort());
  });

  it("in pieces: what a search has no time for is pending, and the next one goes on", async () => {
    for (let n = 0; n < 5; n += 1) leave([userSays(`word ${n}`)]);
    const hurried = store({ searchLimits: { indexMs: 0 } });
    expect(await search("word", {}, hurried)).toEqual({ hits: [], count: 0, pending: 5 });
    await hurried.refreshIndex(new AbortController().signal);
    expect(await search("word", {}, hurried)).toMatchObject({ count: 5, pending: 0 });
  });
});

it("stores with different folders of Markdown sessions leave each other's entries alone", async () => {
  const own = leave([userSays("a word of logs")]);
  const storeOf = (path: string) => {
    const place = { path, isOurs: true };
    return store({ places: { all: () => [place], forNew: () => place } });
  };
  const paths = ["one", "two"].map((name) => join(root, "..", `${basename(root)}-${name}`));
  const [one, two] = paths.map(storeOf);
  if (!one || !two) throw new Error("there are two");
  const ofStore = [one, two].map((each, n) => {
    // Both places have a session with this id.
    const header = {
      sessionId: "20261121-000000-same",
      cwd: "/project",
      createdAt: new Date(AT).toISOString(),
      version: 1,
    };
    const log = each.create(header);
    appendAll(log, [userSays(`a word of ${n}`), idle], AT);
    log.close();
    return log.header.sessionId;
  });
  const names = () => {
    const Sqlite = process.getBuiltinModule("node:sqlite");
    const db = new Sqlite.DatabaseSync(indexPath(), { readOnly: true });
    const rows = db.prepare("SELECT name FROM sessions ORDER BY id").all();
    db.close();
    return rows.map(({ name }) => String(name)).toSorted();
  };
  const both = paths.map((path) => join(path, String(ofStore[0])));
  for (const each of [one, two, one, two]) {
    await each.refreshIndex(new AbortController().signal);
    expect((await search("word", {}, each)).hits.map(({ excerpt }) => excerpt).toSorted()).toEqual(
      [each === one ? "a word of 0" : "a word of 1", "a word of logs"].toSorted(),
    );
  }
  expect(names()).toEqual([own, ...both].toSorted());
  rmSync(String(paths[0]), { recursive: true });
  await two.refreshIndex(new AbortController().signal);
  expect(names()).toEqual([own, ...both.slice(1)].toSorted());
  rmSync(String(paths[1]), { recursive: true });
});

it("an edited session with many entries is read again, though they are removed in pieces", async () => {
  const id = leave(Array.from({ length: 650 }, (_, n) => userSays(`word${n} apple`)));
  expect((await search("apple")).count).toBe(650);
  const log = join(root, id, "log.jsonl");
  writeFileSync(log, readFileSync(log, "utf8").split("\n").slice(0, 3).join("\n").concat("\n"));
  expect(await search("apple")).toMatchObject({ count: 2, pending: 0 });
  expect((await search("word649")).count).toBe(0);
});

it("a word that is everywhere is found where it was said last, and is counted up to a limit", () => {
  writeFileSync(indexPath(), "");
  const index = TextIndex.open(indexPath());
  const said = { at: new Date(AT).toISOString(), kind: "answer", text: "everywhere" } as const;
  const texts = Array.from({ length: 20_500 }, (_, n) => ({ ...said, seq: n + 1 }));
  index?.add([{ sessionId: "a", before: undefined, after: { stamp: "", seq: 20_500, check: "" }, texts }]);
  const found = index?.find({ terms: termsOf("everywhere"), isAll: true, limit: 3 });
  index?.close();
  expect(found?.hits.map(({ seq }) => seq).sort()).toEqual([20_498, 20_499, 20_500]);
  expect(found?.count).toBe(20_001);
});

describe("where the index lies or is missing, no session is lost", () => {
  const spoils: [string, (path: string) => void][] = [
    ["deleted", (path) => rmSync(path)],
    ["deleted without its neighbours", (path) => [path, `${path}-shm`].map((each) => rmSync(each, { force: true }))],
    ["empty", (path) => writeFileSync(path, "")],
    ["garbage", (path) => writeFileSync(path, "garbage ".repeat(4_000))],
    ["cut in the middle", (path) => writeFileSync(path, whole(path).subarray(0, 9_000))],
    ["overwritten in the middle", (path) => writeFileSync(path, whole(path).fill(7, 4_096, 20_000))],
    ["overwritten at its end", (path) => writeFileSync(path, whole(path).fill(7, 20_000))],
    ["of another version", (path) => inDatabase(path, "PRAGMA user_version = 99")],
    ["without a table", (path) => inDatabase(path, "DROP TABLE entries")],
    ["without rows", (path) => inDatabase(path, "DELETE FROM entries")],
    ["without texts", (path) => inDatabase(path, "DELETE FROM texts")],
    ["of other texts", (path) => inDatabase(path, "UPDATE texts SET body = 'nothing' WHERE rowid = 1")],
    ["of a text more", (path) => inDatabase(path, "INSERT INTO texts (rowid, body) VALUES (99, 'word')")],
    ["without the mark of who wrote it", (path) => inDatabase(path, "DELETE FROM seal")],
    ["of another program", (path) => [rmSync(path), inDatabase(path, "CREATE TABLE sessions (x)")]],
    ["a folder", (path) => [rmSync(path), mkdirSync(path)]],
    ["a link", (path) => [rmSync(path), symlinkSync("/dev/zero", path)]],
    ["a link to nothing", (path) => [rmSync(path), symlinkSync(join(root, "absent"), path)]],
    ["not readable", (path) => chmodSync(path, 0o000)],
    ["open to others", (path) => chmodSync(path, 0o666)],
  ];

  it.each(spoils)("when it is %s", async (_what, spoil) => {
    const id = leave([userSays("first word")]);
    const running = store();
    const before = await search("word", {}, running);
    expect(ids(before)).toEqual([id]);
    spoil(indexPath());
    expect(await search("word", {}, running)).toEqual(before);
    expect(await search("word")).toEqual(before);
    const other = leave([userSays("second word")]);
    expect(ids(await search("word", {}, running)).sort()).toEqual([id, other].sort());
    expect((await running.list({ limit: 10 })).total).toBe(2);
  });

  it("is private, and made again after each of these", async () => {
    leave([userSays("a word")]);
    await search("word");
    expect(statSync(indexPath()).mode & 0o777).toBe(0o600);
    writeFileSync(indexPath(), "garbage");
    await search("word");
    expect(readFileSync(indexPath()).subarray(0, 15).toString()).toBe("SQLite format 3");
    expect(statSync(indexPath()).mode & 0o777).toBe(0o600);
  });

  it("says of which sessions it could not read, with the others found", async () => {
    const id = leave([userSays("a word")]);
    const bad = leave([userSays("a word")]);
    rmSync(join(root, bad, "log.jsonl"));
    mkdirSync(join(root, bad, "log.jsonl"));
    const found = await search("word");
    expect(ids(found)).toEqual([id]);
    expect(found.problems).toEqual([expect.stringContaining(bad)]);
    appendFileSync(join(root, id, "log.jsonl"), "garbage\n");
    expect(ids(await search("word"))).toEqual([id]);
  });

  it("says what it did not reach when there is no index and no time", async () => {
    for (let n = 0; n < 3; n += 1) leave([userSays("a word")]);
    mkdirSync(indexPath());
    const found = await search("word", {}, store({ searchLimits: { logMs: 0 } }));
    expect(found).toMatchObject({ hits: [], pending: 0 });
    expect(found.problems?.[0]).toContain("The 3 oldest sessions were not searched");
  });

  it("on a full disk: the rest is read from the logs", async () => {
    const all = [leave([userSays("a word")])];
    await search("word");
    const text = Array.from({ length: 3_000 }, (_, n) => `unusual${n}`).join(" ");
    for (let n = 0; n < 3; n += 1) all.push(leave([userSays(`word ${text}`)]));
    const full = store({ searchLimits: { maxPages: 20, indexMs: 60_000 } });
    const found = await search("word", {}, full);
    expect(ids(found).sort()).toEqual(all.sort());
    expect(found).toMatchObject({ count: 4, pending: 0 });
    expect(found.problems).toBeUndefined();
    expect((await search("word")).count).toBe(4);
  });

  it.skipIf(process.getuid?.() === 0)("in a folder that cannot be written", async () => {
    const id = leave([userSays("a word")]);
    chmodSync(root, 0o500);
    expect(ids(await search("word"))).toEqual([id]);
  });
});
