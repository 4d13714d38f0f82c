import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionStore } from "@harness/core";
import { appendAll, idle, sampleFacts, userSays } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../session-store.ts";

const AT = Date.UTC(2026, 10, 21);

let base = "";
let root = "";
let now = AT;
/** A store without caches, as in a new process. */
const store = () => openStore(root, { clock: { now: () => now } });
const ofProject = (from: SessionStore = store()) => from.list({ cwd: "/project", limit: 5 });

function leave(client?: string): string {
  now += 1000;
  const createdAt = new Date(now).toISOString();
  const log = store().create({ sessionId: store().newSessionId(), cwd: "/project", createdAt, client, version: 1 });
  appendAll(log, [userSays("hello"), idle], now);
  log.close();
  return log.header.sessionId;
}

function damageFirstLine(id: string): void {
  const path = join(root, id, "log.jsonl");
  const bytes = readFileSync(path);
  bytes[30] = (bytes[30] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

beforeEach(() => {
  now = AT;
  base = mkdtempSync(join(tmpdir(), "page-"));
  root = join(base, "conversations");
  mkdirSync(root);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe("a list of sessions", () => {
  it("brings the sessions of later pages that those of a page were forked from", async () => {
    const fork = (from: string): string => {
      now += 1000;
      const start = { sessionId: store().newSessionId(), createdAt: new Date(now).toISOString(), seq: 1 };
      const log = store().fork(from, start);
      if ("problem" in log) throw new Error(log.problem);
      appendAll(log, [userSays("more"), idle], now);
      log.close();
      return start.sessionId;
    };
    const other = leave();
    const first = leave();
    const between = leave();
    const second = fork(first);
    leave();
    const third = fork(second);
    const page = async (limit: number, cursor?: string) => {
      const found = await store().list({ limit, ...(cursor === undefined ? {} : { cursor }) });
      return { ...found, parents: found.parents?.map(({ sessionId }) => sessionId) };
    };
    const newest = await page(1);
    expect(newest).toMatchObject({ total: 6, sessions: [{ sessionId: third }], parents: [second, first] });
    expect((await page(2, newest.nextCursor)).parents).toEqual([first]);
    expect(await page(4)).toMatchObject({ parents: [first] });
    const rest = await page(9, (await page(3)).nextCursor);
    expect(rest.sessions.map(({ sessionId }) => sessionId)).toEqual([between, first, other]);
    expect(rest.parents).toBeUndefined();
    expect((await page(9)).parents).toBeUndefined();
  });

  it("shows a session whose first line is damaged in its folder, which meta.json still has", async () => {
    const id = leave();
    damageFirstLine(id);
    const { sessions, problems } = await ofProject();
    expect(sessions).toMatchObject([{ sessionId: id, cwd: "/project", damage: expect.stringContaining("first line") }]);
    expect(problems).toBeUndefined();
  });

  it("names a session whose folder is no longer in any file", async () => {
    const id = leave();
    damageFirstLine(id);
    rmSync(join(root, id, "meta.json"));
    const { sessions, problems } = await ofProject();
    expect(sessions).toEqual([]);
    expect(problems).toEqual([expect.stringContaining(`The folder of session ${id} is no longer known`)]);
    expect((await store().list({ limit: 5 })).sessions).toMatchObject([{ sessionId: id, cwd: "" }]);
  });

  it("shows a session whose log cannot be read by its meta.json, and says why; without meta.json it is named", async () => {
    const id = leave();
    rmSync(join(root, id, "log.jsonl"));
    execFileSync("mkfifo", [join(root, id, "log.jsonl")]);
    const damage = expect.stringMatching(/^Could not read session .*: it is not a regular file/);
    expect((await ofProject()).sessions).toMatchObject([{ sessionId: id, damage }]);
    expect(store().open(id)).toMatchObject({ kind: "failed" });
    rmSync(join(root, id, "meta.json"));
    expect(await ofProject()).toEqual({ sessions: [], total: 0, problems: [damage] });
  });

  it("says why it is empty when the folder of the sessions is a file", async () => {
    rmSync(root, { recursive: true });
    writeFileSync(root, "");
    const problem = expect.stringContaining("Could not list the stored sessions");
    expect(await ofProject()).toEqual({ sessions: [], total: 0, problems: [problem] });
    expect(store().open("20261121")).toEqual({ kind: "failed", problem });
    expect(await store().resolve("some title")).toEqual({ kind: "failed", problem });
  });

  it.skipIf(process.getuid?.() === 0)(
    "says why it is empty when the folder of the sessions may not be read",
    async () => {
      leave();
      chmodSync(root, 0);
      try {
        expect((await ofProject()).problems).toEqual([expect.stringContaining("permission denied")]);
      } finally {
        chmodSync(root, 0o700);
      }
    },
  );

  it("names five of many sessions that cannot be read, and counts the others", async () => {
    for (let n = 0; n < 7; n += 1) {
      const id = leave();
      rmSync(join(root, id), { recursive: true });
      mkdirSync(join(root, id, "log.jsonl"), { recursive: true });
    }
    const { problems = [] } = await ofProject();
    expect(problems).toHaveLength(6);
    expect(problems.at(-1)).toBe("2 more sessions cannot be listed.");
  });

  it("has only sessions of a model, and those that went on since a time", async () => {
    const ids = [leave(), leave()];
    now += 3_600_000;
    const since = new Date(now).toISOString();
    ids.push(leave());
    const listed = async (asked: object) => {
      const { sessions, total } = await store().list({ limit: 5, ...asked });
      return [total, ...sessions.map(({ sessionId }) => sessionId)];
    };
    expect(await listed({ since })).toEqual([1, ids[2]]);
    expect(await listed({ since: "2026-11-21" })).toEqual([3, ...ids.toReversed()]);
    expect(await listed({ since: "2026-11-22T00:00:00Z" })).toEqual([0]);
    expect(await listed({ model: "qwen" })).toEqual([0]);
    const log = store().create({ sessionId: store().newSessionId(), cwd: "/project", createdAt: since, version: 1 });
    appendAll(log, [userSays("hello"), sampleFacts.config_option_update, idle], now);
    log.close();
    expect(await listed({ model: "SMALL" })).toEqual([1, log.header.sessionId]);
    expect(await listed({ model: "small", cwd: "/other" })).toEqual([0]);
  });
});

it("lists the runs of scripts after a person's sessions where that is asked, page by page", async () => {
  const mine = [leave("window"), leave()];
  const runs = [leave("harness-run"), leave("harness-run"), leave("harness-run")];
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await store().list({ cwd: "/project", limit: 2, runsLast: true, ...(cursor && { cursor }) });
    found.push(...page.sessions.map(({ sessionId }) => sessionId));
    cursor = page.nextCursor;
  } while (cursor);
  expect(found).toEqual([...mine.reverse(), ...runs.reverse()]);
});
