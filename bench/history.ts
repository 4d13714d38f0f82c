// Waiting times of History, Home and searches with many stored sessions.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionQuery } from "@harness/core";
import { appendAll, idle, userSays } from "@harness/testkit";
import { openStore } from "../packages/storage/src/sessions/session-store.ts";
import type { Figure } from "./figures.ts";

const SESSIONS = 10_000;
const PAGE = 200;
const FOLDERS = 20;
/** A file system in memory, if available: each session is written through to disk. */
const MEMORY = "/dev/shm";
/** A delay below this is not noticed. */
const NOTICED_MS = 250;
const SEARCH_MS = 200;
const FIRST_SEARCH_MS = 1_000;

const start = Date.UTC(2026, 0, 1);

/** CPU time of the thread in ms: other work on the machine does not count. */
async function timed(run: () => unknown): Promise<number> {
  const began = process.threadCpuUsage();
  await run();
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1_000;
}

/** Sessions in several folders, a minute after one another. */
async function fill(root: string): Promise<void> {
  let now = start;
  const store = openStore(root, { clock: { now: () => now } });
  for (let n = 0; n < SESSIONS; n += 1) {
    now += 60_000;
    const createdAt = new Date(now).toISOString();
    const cwd = `/projects/p${n % FOLDERS}`;
    const log = store.create({ sessionId: store.newSessionId(), cwd, createdAt, version: 1 });
    appendAll(log, [userSays(`Please repair part ${n} of the parser, and say why it was wrong`), idle], now);
    log.close();
  }
  await store.refreshIndex(new AbortController().signal);
}

export async function historyFigures(times: number): Promise<Figure[]> {
  const root = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "bench-history-"));
  try {
    await fill(root);
    const store = () => openStore(root, { clock: { now: () => start } });
    // Leaves the index behind, like the very first list.
    await store().list({ limit: 1 });
    const known = store();
    const first = await known.list({ limit: PAGE });
    const runs = async (run: () => unknown): Promise<number[]> => {
      const found: number[] = [];
      for (let n = 0; n < times; n += 1) found.push(await timed(run));
      return found;
    };
    const asked = (query: Partial<SessionQuery>) => runs(() => known.list({ limit: PAGE, ...query }));
    const searched = (query: string) => runs(() => known.search({ query, limit: 50 }));
    const page = JSON.stringify(first).length / 1024;
    return [
      {
        name: `${SESSIONS} sessions: first page of History, new process`,
        unit: "ms",
        runs: await runs(() => store().list({ limit: PAGE })),
        target: 2 * NOTICED_MS,
      },
      { name: "– the next time", unit: "ms", runs: await asked({}), target: NOTICED_MS },
      { name: "– with a filter", unit: "ms", runs: await asked({ query: "parser 99" }), target: NOTICED_MS },
      {
        name: "– the next page",
        unit: "ms",
        runs: await asked(first.nextCursor === undefined ? {} : { cursor: first.nextCursor }),
        target: NOTICED_MS,
      },
      { name: "– Home's list", unit: "ms", runs: await asked({ cwd: "/projects/p1", limit: 20 }), target: NOTICED_MS },
      {
        name: "– a search for a word, new process",
        unit: "ms",
        runs: await runs(() => store().search({ query: "part 4711", limit: 50 })),
        target: FIRST_SEARCH_MS,
      },
      { name: "– the next time", unit: "ms", runs: await searched("part 4711"), target: SEARCH_MS },
      { name: "– for a word that is in all of them", unit: "ms", runs: await searched("parser"), target: SEARCH_MS },
      { name: "– a page", unit: "kB", runs: [page], target: 200 },
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
