// How fast folders are indexed and searched, and in how much memory: `npm run bench -- search`.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serverMethods } from "@harness/protocol";
import { connect, linkedPair } from "@harness/protocol/wire";
import { composeServer } from "@harness/server";
import { ChunkPool } from "../../packages/search/src/chunks/chunk-pool.ts";
import { searchCode } from "../../packages/search/src/query/search-code.ts";
import { EmbeddedStore } from "../../packages/search/src/store/embedded/embedded-store.ts";
import type { Figure } from "../figures.ts";
import { cleanEnv, freshPlace, harnessCommand } from "../headless.ts";
import { readTree } from "../process-tree.ts";
import { copiedRepository, copiedSource, ownSources, type SourceText } from "./corpus.ts";

const FILES = 5_000;
const MANY_FILES = 50_000;
/** Of the indexes that only questions are asked of. */
const CHUNKS = [
  { count: 50_000, target: 20 },
  { count: 300_000, target: 60 },
];
const LOOK_MS = 50;
const RESULTS = 10;

const questions = [
  "where are retries of a request limited",
  "how is a session resumed after a crash",
  "which files does git ignore",
  "permission rule for a shell command",
  "draw the input box while tokens stream",
  "token count of a message before compaction",
  "sandbox denies the network",
  "read settings from the home folder",
  "parseCommits",
  "error message when the disk is full",
];

/** Wall times and CPU in ms, memory in bytes. */
type IndexRun = { wallMs: number; cpuMs: number; peakBytes: number; indexerBytes: number };

export async function searchSpeedFigures(times: number): Promise<Figure[]> {
  const name = (count: number) => count.toLocaleString("en");
  return [
    ...(await folderFigures(`${name(FILES)} files`, times)),
    ...(await questionFigures(times, name)),
    ...(await memoryFigures(`${name(MANY_FILES)} files`)),
  ];
}

async function folderFigures(title: string, times: number): Promise<Figure[]> {
  const place = freshPlace();
  const { folder, remove } = copiedRepository(FILES);
  try {
    const runs: IndexRun[] = [];
    for (let n = 0; n < times; n += 1) runs.push(await indexed(folder, place.home));
    const changes = await changeTimes(folder, place.home, times);
    return [
      { name: `${title}: indexed`, unit: "ms", runs: runs.map(({ wallMs }) => wallMs), target: 10_000 },
      { name: "– CPU", unit: "ms", runs: runs.map(({ cpuMs }) => cpuMs) },
      ...memoryOf(runs),
      { name: "– one file changed, until it is found", unit: "ms", runs: changes, target: 100 },
    ];
  } finally {
    remove();
    place.remove();
  }
}

async function memoryFigures(title: string): Promise<Figure[]> {
  const place = freshPlace();
  const { folder, remove } = copiedRepository(MANY_FILES);
  try {
    const run = await indexed(folder, place.home);
    return [{ name: `${title}: indexed`, unit: "ms", runs: [run.wallMs] }, ...memoryOf([run], 250)];
  } finally {
    remove();
    place.remove();
  }
}

function memoryOf(runs: readonly IndexRun[], target?: number): Figure[] {
  const megabytes = (bytes: number) => bytes / 1e6;
  const most = { unit: "MB" as const, ...(target !== undefined && { target }) };
  return [
    { ...most, name: "– peak memory of the indexing process", runs: runs.map((run) => megabytes(run.indexerBytes)) },
    { unit: "MB", name: "– with the command's own", runs: runs.map((run) => megabytes(run.peakBytes)) },
  ];
}

/** `harness index --rebuild` from its start to its end. */
async function indexed(cwd: string, home: string): Promise<IndexRun> {
  const startMs = performance.now();
  const child = spawn(harnessCommand, ["index", "--rebuild", "--json"], { cwd, env: cleanEnv(home), stdio: "ignore" });
  const run: IndexRun = { wallMs: 0, cpuMs: 0, peakBytes: 0, indexerBytes: 0 };
  const timer = setInterval(() => {
    const { rssBytes, largestBytes, cpuMs } = readTree(child.pid ?? 0);
    run.peakBytes = Math.max(run.peakBytes, rssBytes);
    run.indexerBytes = Math.max(run.indexerBytes, largestBytes);
    run.cpuMs = Math.max(run.cpuMs, cpuMs);
  }, LOOK_MS);
  const code = await new Promise((done) => child.once("exit", done));
  clearInterval(timer);
  if (code !== 0) throw new Error(`harness index ended with ${code}`);
  return { ...run, wallMs: performance.now() - startMs };
}

/** In a session's server: from the end of the write until a search for a new word has its file. */
async function changeTimes(cwd: string, home: string, times: number): Promise<number[]> {
  const server = composeServer({ version: "bench", cwd, env: cleanEnv(home) });
  const [near, far] = linkedPair();
  server.accept(far, "bench", { onEnd: () => undefined, onGone: () => undefined });
  const onBug = (error: unknown): never => {
    throw error;
  };
  const serve = { table: {}, handlers: {} };
  const client = connect({
    channel: near,
    defer: setImmediate,
    serve,
    call: { table: serverMethods },
    trustPeer: true,
    onBug,
  });
  try {
    const clientInfo = { name: "bench", version: "0" };
    await client.call("initialize", { protocolVersions: ["1"], clientInfo, capabilities: {} });
    const find = (query: string) => client.call("index/search", { cwd, query, limit: RESULTS, waitMs: 10_000 });
    await find("warm up");
    const runs: number[] = [];
    for (let n = 0; n < times; n += 1) {
      const word = `changedword${n}`;
      writeFileSync(join(cwd, "bench/agents.ts"), `export const ${word} = ${n};\n`);
      const startMs = performance.now();
      for (let isFound = false; !isFound; ) isFound = (await find(word)).results[0]?.text.includes(word) ?? false;
      runs.push(performance.now() - startMs);
    }
    return runs;
  } finally {
    client.destroy();
    await server.shutdown();
  }
}

async function questionFigures(times: number, name: (count: number) => string): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-search-"));
  const database = join(folder, "index.db");
  const figures: Figure[] = [];
  try {
    const copies = new CopyWriter(EmbeddedStore.make(database));
    for (const { count, target } of CHUNKS) {
      await copies.fill(count);
      const { first, warm } = await questionTimes(database, times);
      figures.push({ name: `${name(count)} chunks: a question`, unit: "ms", runs: warm, target });
      figures.push({ name: "– the first of a process, without its start", unit: "ms", runs: first, target: 150 });
    }
    await copies.close();
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** CPU time of this thread in ms: other work on the machine does not count. */
async function questionTimes(database: string, times: number): Promise<{ first: number[]; warm: number[] }> {
  const [first, warm]: [number[], number[]] = [[], []];
  for (let n = 0; n < times; n += 1) {
    let startMs = spentMs();
    const index = EmbeddedStore.find(database);
    if (!index) throw new Error("The index cannot be opened.");
    for (const [at, query] of questions.entries()) {
      if (at > 0) startMs = spentMs();
      await searchCode({ index, history: undefined }, { query, limit: RESULTS });
      (at === 0 ? first : warm).push(spentMs() - startMs);
    }
    await index.close();
  }
  return { first, warm };
}

function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Fills an index with copies of this repository's files. */
class CopyWriter {
  readonly #store: EmbeddedStore;
  readonly #sources = ownSources();
  /** How many files were written. */
  #written = 0;

  constructor(store: EmbeddedStore) {
    this.#store = store;
  }

  async fill(chunks: number): Promise<void> {
    const pool = new ChunkPool();
    while ((await this.#store.counts()).chunks < chunks) {
      const sources = this.#next();
      const chunked = await pool.chunk(sources);
      const put = chunked.map((file, index) => {
        const path = sources[index]?.path ?? "";
        return { path, digest: path, sizeBytes: 1, mtimeMs: 1, ...file };
      });
      await this.#store.write({ put, touched: [], removed: [] });
      while (await this.#store.tidy());
    }
    await pool.close();
  }

  #next(): SourceText[] {
    const { length } = this.#sources;
    const from = this.#written % length;
    const next = this.#sources.slice(from, from + 512);
    const copy = Math.floor(this.#written / length);
    this.#written += next.length;
    return next.map((source) => copiedSource(source, copy));
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
