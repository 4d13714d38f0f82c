// Indexes in their real processes, without a watch, as on a network drive.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Egress } from "@harness/core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CodeSearchEngine } from "./search-engine.ts";

const egress: Egress = { localOnly: false, leave: () => ({}), barrier: async () => undefined };

let root = "";
let folder = "";
let engines: CodeSearchEngine[] = [];
let progress: { filesTotal: number }[] = [];
const env = {
  PATH: process.env.PATH ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.com",
};
const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, env, stdio: "pipe" });
const NO_ABORT = { rebuild: false, signal: new AbortController().signal };

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "search-engine-"));
  folder = join(root, "work");
  progress = [];
  mkdirSync(folder);
  git("init", "-q", "-b", "main");
});
afterEach(() => {
  for (const engine of engines.splice(0)) engine.close();
  rmSync(root, { recursive: true, force: true });
});

function open() {
  const engine = new CodeSearchEngine(join(root, "cache"), env);
  engines = [...engines, engine];
  return engine.index(folder, {
    paths: async () =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => !path.startsWith(".git")),
    watch: async () => undefined,
    gitEnv: env,
    onProgress: (each) => progress.push(each),
    store: { address: "embedded", egress, variable: () => undefined },
    embedders: { wanted: undefined, open: async () => ({ ok: false, problem: "There is none." }) },
    clock: { now: Date.now, monotonicMs: () => performance.now(), sleep: async () => undefined },
  });
}

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

async function search(index: ReturnType<typeof open>, query: string) {
  const answer = await index.search({ query, limit: 5 }, 60_000);
  if ("problem" in answer) throw new Error(answer.problem);
  return answer;
}

it("searches a new commit of files that are indexed already", async () => {
  put("a.ts", "export const one = 1;\n");
  put("b.ts", "export const two = 2;\n");
  const index = open();
  await index.refresh(NO_ABORT);
  expect((await search(index, "marmots hibernate")).results).toEqual([]);
  git("add", "b.ts");
  git("commit", "-q", "-m", "Marmots hibernate");
  const { results, index: state } = await search(index, "marmots hibernate");
  expect(results).toMatchObject([{ path: "b.ts" }]);
  expect(state.fresh).toBe(true);
}, 60_000);

it("follows a switch of branches in one update", async () => {
  const count = 600;
  const all = (text: (n: number) => string) => {
    for (let n = 0; n < count; n += 1) put(`src/f${n}.txt`, text(n));
    git("add", "-A");
    git("commit", "-q", "-m", "all");
  };
  all((n) => `badger ${n}`);
  git("switch", "-q", "-c", "other");
  all((n) => `marmot ${n}`);
  git("switch", "-q", "main");
  const index = open();
  await index.refresh(NO_ABORT);
  progress = [];
  git("switch", "-q", "other");
  expect((await search(index, "marmot 17")).results[0]).toMatchObject({ path: "src/f17.txt" });
  expect(new Set(progress.map(({ filesTotal }) => filesTotal))).toEqual(new Set([count]));
  expect((await search(index, "badger")).results).toEqual([]);
}, 60_000);

it("is refreshed by two sessions and a script at once", async () => {
  for (let n = 0; n < 700; n += 1) put(`src/f${n}.ts`, `export function marmot${n}() {}\n`);
  const indexes = [open(), open(), open()];
  const reports = await Promise.all(indexes.map((index) => index.refresh(NO_ABORT)));
  expect(reports.map((report) => ("problem" in report ? report.problem : report.index))).toEqual(
    indexes.map(() => ({ files: 700, chunks: 700, embedder: null, fresh: true })),
  );
  expect(reports.reduce((sum, report) => sum + ("problem" in report ? 0 : report.indexed), 0)).toBe(700);
  put("src/f3.ts", "export function woodchuck() {}\n");
  const found = await Promise.all(indexes.map((index) => search(index, "woodchuck")));
  expect(found.map(({ results }) => results[0]?.path)).toEqual(indexes.map(() => "src/f3.ts"));
}, 60_000);
