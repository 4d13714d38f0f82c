import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { appendAll, idle, sample, userSays } from "@harness/testkit";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openStore } from "../session-store.ts";

const AT = Date.UTC(2026, 10, 21);
const SESSIONS = 120;
const storeModule = new URL("../session-store.ts", import.meta.url).href;

let root = "";
const children: ChildProcess[] = [];
const store = () => openStore(root, { clock: { now: () => AT }, searchLimits: { indexMs: 60_000 } });
const found = async (query: string) => {
  const { hits, count, pending, problems } = await store().search({ query, limit: 200 });
  return { hits: hits.length, count, pending, problems };
};
const all = { hits: SESSIONS, count: SESSIONS, pending: 0, problems: undefined };

/** A process that indexes, and says so after each slice. */
function indexer() {
  const script = `
    import { writeSync } from "node:fs";
    import { openStore } from ${JSON.stringify(storeModule)};
    const store = openStore(${JSON.stringify(root)}, { clock: { now: () => Date.now() }, searchLimits: { indexMs: 60_000 } });
    await store.refreshIndex({ get aborted() { writeSync(1, "slice\\n"); return false; } });
    const { count } = await store.search({ query: "word", limit: 1 });
    writeSync(1, count + "\\n");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, next: async () => String((await lines.next()).value) };
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "indexers-"));
  const filler = Array.from({ length: 400 }, (_, n) => `filler${n}`).join(" ");
  for (let n = 0; n < SESSIONS; n += 1) {
    const from = store();
    const createdAt = new Date(AT + n).toISOString();
    const log = from.create({ sessionId: from.newSessionId(), cwd: "/project", createdAt, version: 1 });
    appendAll(log, [userSays(`word ${n} ${filler}`), idle], AT + n);
    log.close();
  }
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const end of ["", "-wal", "-shm"]) rmSync(join(root, `.search.db${end}`), { force: true });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const KILLS = Array.from({ length: 30 }, (_, n) => n);

it.each(sample(KILLS, 3))(
  "a process that is killed while it indexes, after slice %i, loses and breaks nothing",
  async (after) => {
    const { child, next } = indexer();
    for (let slice = 0; slice <= after; slice += 1) if ((await next()) !== "slice") break;
    child.kill("SIGKILL");
    await once(child, "close");
    expect(await found("word")).toEqual(all);
    expect(await found("filler399")).toEqual(all);
  },
);

it("two processes index the same sessions at once, and both find each of them once", async () => {
  const both = [indexer(), indexer()];
  const begun = await Promise.all(both.map(async ({ next }) => ({ next, first: await next() })));
  expect(await found("word")).toEqual(all);
  for (const { next, first } of begun) {
    let line = first;
    while (line === "slice") line = await next();
    expect(line).toBe(String(SESSIONS));
  }
});

it("the index is deleted again and again while another process writes it", async () => {
  const { next } = indexer();
  for (let line = await next(); line === "slice"; line = await next()) {
    for (const end of ["", "-wal", "-shm"]) rmSync(join(root, `.search.db${end}`), { force: true });
  }
  expect(await found("word")).toEqual(all);
});
