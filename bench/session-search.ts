// Lists and searches over many stored sessions of varied text, and what the index takes of the event loop.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../packages/storage/src/sessions/session-store.ts";
import type { Figure } from "./figures.ts";
import { leaveSessions, SESSIONS_START } from "./stored-sessions.ts";

const BYTES_EACH = 100_000;
/** A file system in memory, if available: what counts is the work. */
const MEMORY = "/dev/shm";
const PAGE = 200;
const LIST_MS = 250;
const SEARCH_MS = 200;
const FIRST_SEARCH_MS = 1_000;
/** A turn of the event loop that nobody notices while typing. */
const TURN_MS = 8;

/** CPU time of the thread in ms: other work on the machine does not count. */
function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

async function timed(run: () => unknown): Promise<number> {
  const began = spentMs();
  await run();
  return spentMs() - began;
}

/** The turns of the event loop that some work takes, by their length. */
async function turnsOf(work: () => Promise<unknown>): Promise<number[]> {
  const turns: number[] = [];
  let last = spentMs();
  let isOver = false;
  const next = () => {
    const now = spentMs();
    turns.push(now - last);
    last = now;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  await work();
  isOver = true;
  return turns.sort((a, b) => a - b);
}

export async function sessionSearchFigures(times: number, sessions: number): Promise<Figure[]> {
  const root = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "bench-search-"));
  try {
    const megabytes = Math.round(leaveSessions(root, { sessions, bytesEach: BYTES_EACH }) / 1_000_000);
    const store = () => openStore(root, { clock: { now: () => SESSIONS_START } });
    const known = store();
    const firstList = await timed(() => known.list({ limit: PAGE }));
    const turns = await turnsOf(() => known.refreshIndex(new AbortController().signal));
    const runs = async (run: (n: number) => unknown): Promise<number[]> => {
      const found: number[] = [];
      for (let n = 0; n < times; n += 1) found.push(await timed(() => run(n)));
      return found;
    };
    const searched = (query: (n: number) => string, from: () => typeof known = () => known) =>
      runs((n) => from().search({ query: query(n), limit: 50 }));
    const rare = (n: number) => `case${(n * 37 + 5) % sessions}`;
    return [
      { name: `${sessions} sessions, ${megabytes} MB: the very first list`, unit: "ms", runs: [firstList] },
      { name: "– the next list", unit: "ms", runs: await runs(() => known.list({ limit: PAGE })), target: LIST_MS },
      { name: "– the index, 99 of 100 turns of the event loop", unit: "ms", runs: [at(turns, 0.99)], target: TURN_MS },
      {
        name: "– the first search of a process",
        unit: "ms",
        runs: await searched(rare, store),
        target: FIRST_SEARCH_MS,
      },
      { name: "– the next search", unit: "ms", runs: await searched(rare), target: SEARCH_MS },
      { name: "– for two words", unit: "ms", runs: await searched(() => "parser cache"), target: SEARCH_MS },
      { name: "– for the beginning of many words", unit: "ms", runs: await searched(() => "par"), target: SEARCH_MS },
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}
