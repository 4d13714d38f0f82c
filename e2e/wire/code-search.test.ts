// The index of a folder over the wire: the model asks it, files change, its processes die, its place cannot be written.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type HarnessClient, openClient } from "@harness/client";
import { turns } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ChangingServer } from "../support/changing-server.ts";
import { LiveServer } from "../support/live-server.ts";
import { observeTurn } from "../support/observe-turn.ts";

let live: LiveServer;
let client: HarnessClient;

const RETRY = `/** How often a request is sent again. */
export function retryLimit(status: number): number {
  return status === 429 ? 5 : 2;
}
`;

let pid: number | undefined;
let progress: Promise<void>;
/** The progress that clients without a session got. */
let shown: ({ percent: number; isPaused: boolean } | undefined)[] = [];

async function connect(): Promise<void> {
  const server = live.spawn();
  ({ pid } = server);
  const first = Promise.withResolvers<void>();
  progress = first.promise;
  client = await openClient(server.channel, {
    clientInfo: { name: "test", version: "1" },
    onUpdate: () => undefined,
    notices: { "index/progress": () => first.resolve(), "hud/folder": ({ indexing }) => shown.push(indexing) },
    onLost: () => undefined,
    onBug: (error) => {
      throw error;
    },
  });
}

function put(path: string, text: string): void {
  const at = join(live.cwd, path);
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(at, text);
}

const search = async (query: string, more: { path?: string; language?: string; collection?: string } = {}) =>
  (await client.call("index/search", { cwd: live.cwd, query, waitMs: 60_000, ...more })).results;
const pathsOf = async (query: string) => (await search(query)).map(({ path }) => path);

describe("an index", () => {
  beforeEach(async () => {
    live = await LiveServer.start({ turns: [] });
    mkdirSync(live.cwd);
    put("src/retry.ts", RETRY);
    put("src/parse.py", "def parse_date(text):\n    return text\n");
    put("docs/guide.md", "# Guide\n\nHow to install.\n");
    put(".env", "RETRY_SECRET=1\n");
    put("notes/private.md", "# Retry in private\n");
    put(".harnessignore", "notes/\n");
    await connect();
  });
  afterEach(() => live.close());

  it("is made on request; a search before says how", async () => {
    await expect(search("retry")).rejects.toThrow("This folder has no index yet. Make one with `harness index`");
    const made = await client.call("index/refresh", { cwd: live.cwd });
    expect(made).toMatchObject({ indexed: 3, removed: 0, index: { files: 3, embedder: null, fresh: true } });
    const [first] = await search("how often is a request sent again?");
    expect(first).toMatchObject({ path: "src/retry.ts", startLine: 1, endLine: 4, score: 1, kind: "function" });
    expect(first?.why.join()).toContain("words:");
    expect(await client.call("index/symbols", { cwd: live.cwd, name: "retryLimit" })).toMatchObject({
      symbols: [{ name: "retryLimit", path: "src/retry.ts", line: 2, kind: "function" }],
    });
  });

  it("has no secret files and none that .harnessignore names", async () => {
    await client.call("index/refresh", { cwd: live.cwd });
    expect(await pathsOf("retry secret private")).toEqual(["src/retry.ts"]);
  });

  it("follows files that are written, renamed and removed", async () => {
    await client.call("index/refresh", { cwd: live.cwd });
    put("src/cache.go", "package cache\n\n// Evict removes the oldest marmot.\nfunc Evict() {}\n");
    expect(await pathsOf("oldest marmot")).toEqual(["src/cache.go"]);
    rmSync(join(live.cwd, "src/cache.go"));
    put("lib/store.go", "package cache\n\n// Evict removes the oldest marmot.\nfunc Evict() {}\n");
    expect(await pathsOf("oldest marmot")).toEqual(["lib/store.go"]);
    rmSync(join(live.cwd, "lib"), { recursive: true });
    expect(await pathsOf("oldest marmot")).toEqual([]);
    expect(await client.call("index/status", { cwd: live.cwd })).toMatchObject({ index: { files: 3, fresh: true } });
  });

  it("filters by folder, pattern and language", async () => {
    put("tests/retry_test.py", "def test_retry_limit():\n    pass\n");
    await client.call("index/refresh", { cwd: live.cwd });
    expect((await search("retry limit", { path: "tests" })).map(({ path }) => path)).toEqual(["tests/retry_test.py"]);
    expect((await search("retry limit", { path: "src/*.ts" })).map(({ path }) => path)).toEqual(["src/retry.ts"]);
    expect((await search("retry limit", { language: "py" })).map(({ path }) => path)).toEqual(["tests/retry_test.py"]);
  });

  it("is complete again after its process was killed", async () => {
    for (let file = 0; file < 1_500; file += 1) put(`many/f${file}.ts`, `export function marmot${file}() {}\n`);
    const refreshing = client.call("index/refresh", { cwd: live.cwd }).catch((error: Error) => error.message);
    await progress;
    // It stops after its next batch, so that it is there to be killed.
    await client.call("index/pause", { isPaused: true });
    killIndexers();
    expect(await refreshing).toContain("was killed by SIGKILL. The files that it had stored are kept; try again.");
    await client.call("index/pause", { isPaused: false });
    expect(await client.call("index/refresh", { cwd: live.cwd })).toMatchObject({ index: { files: 1503 } });
    expect((await pathsOf("marmot1499"))[0]).toBe("many/f1499.ts");
  });

  it("shows how far it is to a client without a session", async () => {
    for (let file = 0; file < 1_500; file += 1) put(`many/f${file}.ts`, `export function marmot${file}() {}\n`);
    shown = [];
    await client.call("hud/get", { cwd: live.cwd, follow: true });
    await client.call("index/refresh", { cwd: live.cwd });
    expect(shown).toContainEqual({ percent: expect.any(Number), isPaused: false });
    await vi.waitUntil(() => shown.at(-1) === undefined);
    expect((await client.call("hud/get", { cwd: live.cwd })).indexing).toBeUndefined();
  });

  it("is made once where two sessions and a script ask for it at the same time", async () => {
    for (let file = 0; file < 1_500; file += 1) put(`many/f${file}.ts`, `export function marmot${file}() {}\n`);
    const one = client;
    await connect();
    const other = client;
    await connect();
    const calls = [one, other, client].map((each) => each.call("index/refresh", { cwd: live.cwd }));
    const made = await Promise.all(calls);
    for (const each of made) expect(each).toMatchObject({ index: { files: 1503, chunks: 1503 } });
    expect(made.reduce((sum, { indexed }) => sum + indexed, 0)).toBe(1503);
    for (const each of [one, other, client]) {
      const { results } = await each.call("index/search", { cwd: live.cwd, query: "marmot1499", waitMs: 60_000 });
      expect(results[0]?.path).toBe("many/f1499.ts");
    }
  });

  it("says that it is paused, and what that leaves out", async () => {
    const run = async (name: string, args: string) =>
      (await client.call("command/run", { cwd: live.cwd, name, args })).text;
    await client.call("index/refresh", { cwd: live.cwd });
    await run("index", "pause");
    expect(await run("index", "status")).toContain("Indexing is paused: /index resume goes on.");
    put("src/new.ts", "export function marmot() {}\n");
    expect(await run("index", "")).toContain("in the background");
    await run("index", "resume");
    expect(await run("search", "marmot")).toMatch(/^src\/new\.ts:1-1 /);
  });

  it("is deleted while it is paused, and made again", async () => {
    await client.call("index/pause", { isPaused: true });
    const refreshing = client.call("index/refresh", { cwd: live.cwd }).catch((error: Error) => error.message);
    await client.call("index/remove", { cwd: live.cwd });
    await refreshing;
    await client.call("index/pause", { isPaused: false });
    expect(await client.call("index/refresh", { cwd: live.cwd })).toMatchObject({ index: { files: 3, fresh: true } });
    expect(readdirSync(join(live.home, "cache/search")).filter((name) => name.endsWith(".db"))).toHaveLength(1);
  });

  it("says what is wrong when its place cannot be written", async () => {
    const folder = join(live.home, "cache/search");
    mkdirSync(dirname(folder), { recursive: true });
    writeFileSync(folder, "in the way");
    await expect(client.call("index/refresh", { cwd: live.cwd })).rejects.toThrow(/^The index could not be written: /);
    rmSync(folder);
    expect(await client.call("index/refresh", { cwd: live.cwd })).toMatchObject({ indexed: 3 });
  });

  it("is made again when it is damaged, and deleted on request", async () => {
    await client.call("index/refresh", { cwd: live.cwd });
    const folder = join(live.home, "cache/search");
    const [name = ""] = readdirSync(folder).filter((each) => each.endsWith(".db"));
    for (const each of readdirSync(folder)) rmSync(join(folder, each));
    writeFileSync(join(folder, name), "no database");
    chmodSync(join(folder, name), 0o600);
    expect(await client.call("index/status", { cwd: live.cwd })).toEqual({});
    expect(await client.call("index/refresh", { cwd: live.cwd })).toMatchObject({ indexed: 3 });
    expect(await client.call("index/remove", { cwd: live.cwd })).toEqual({ removed: true });
    expect(await client.call("index/remove", { cwd: live.cwd })).toEqual({ removed: false });
    expect(await client.call("index/status", { cwd: live.cwd })).toEqual({});
  });
});

describe("a collection", () => {
  let docs: string;
  beforeEach(async () => {
    live = await LiveServer.start({ turns: [] });
    mkdirSync(live.cwd);
    put("src/retry.ts", RETRY);
    docs = join(dirname(live.cwd), "handbook");
    mkdirSync(docs);
    writeFileSync(join(docs, "rooms.md"), "# Rooms\n\nBook a marmot room at the desk.\n");
    await connect();
    await client.call("index/refresh", { cwd: live.cwd });
  });
  afterEach(() => live.close());
  const add = (folder: string, name?: string) =>
    client.call("index/add", { cwd: live.cwd, folder, ...(name !== undefined && { name }) });
  const rows = async () =>
    (await client.call("settings/get", { cwd: live.cwd })).settings.find(({ key }) => key === "index_collections")
      ?.value;

  it("is written to the settings, indexed at once, and searched along with the folder", async () => {
    expect(await add(docs)).toMatchObject({ name: "handbook", folder: docs, indexed: 1, index: { files: 1 } });
    expect(await rows()).toEqual([`handbook=${docs}`]);
    const [first] = await search("book a room");
    expect(first).toMatchObject({ path: join(docs, "rooms.md"), collection: "handbook" });
    const mixed = await search("how often is a room sent again?");
    expect(mixed.map(({ path }) => path)).toEqual(["src/retry.ts", join(docs, "rooms.md")]);
    expect(mixed[1]?.score).toBeLessThan(0.6);
    expect(await search("how often is a request sent again?", { collection: "handbook" })).toEqual([]);
    expect(await search("room", { collection: "handbook", path: "*.md" })).toHaveLength(1);
    const { folders } = await client.call("index/list", { cwd: live.cwd });
    expect(folders).toMatchObject([
      { folder: live.cwd, kind: "workspace", index: { files: 1, fresh: true } },
      { folder: docs, kind: "collection", name: "handbook", index: { files: 1, fresh: true } },
    ]);
  });

  it("is taken out again, with its index", async () => {
    await add(docs, "desk");
    expect(await client.call("index/remove", { cwd: live.cwd, collection: "desk" })).toEqual({ removed: true });
    expect(await rows()).toEqual([]);
    expect(readdirSync(join(live.home, "cache/search")).filter((name) => name.endsWith(".db"))).toHaveLength(1);
    await expect(search("room", { collection: "desk" })).rejects.toThrow("There is no collection named desk.");
    await expect(client.call("index/remove", { cwd: live.cwd, collection: "desk" })).rejects.toThrow("Add one with");
  });

  it("keeps its index while its folder is gone", async () => {
    await add(docs);
    renameSync(docs, `${docs}-away`);
    await client.call("index/refresh", { cwd: live.cwd });
    const { folders } = await client.call("index/list", { cwd: live.cwd });
    expect(folders[1]).toEqual({ folder: docs, kind: "collection", name: "handbook", isMissing: true });
    await expect(search("room", { collection: "handbook" })).rejects.toThrow("is not there");
    renameSync(`${docs}-away`, docs);
    expect(await search("room", { collection: "handbook" })).toHaveLength(1);
  });

  it("keeps its index when a rebuild is stopped before it", async () => {
    await add(docs);
    await client.call("index/pause", { isPaused: true });
    const stop = new AbortController();
    const params = { cwd: live.cwd, rebuild: true };
    const refreshing = client.call("index/refresh", params, { signal: stop.signal }).catch(() => undefined);
    expect(await client.call("index/status", { cwd: live.cwd })).toBeDefined();
    stop.abort();
    await refreshing;
    await client.call("index/pause", { isPaused: false });
    const { folders } = await client.call("index/list", { cwd: live.cwd });
    expect(folders[1]).toMatchObject({ name: "handbook", index: { files: 1 } });
  });

  it("is none for a file, secret places, the home folder, or a second one of the name", async () => {
    mkdirSync(join(docs, ".ssh"));
    await expect(add(join(docs, "rooms.md"))).rejects.toThrow("is not a folder");
    await expect(add(join(docs, "none"))).rejects.toThrow("There is no folder");
    await expect(add(join(docs, ".ssh"))).rejects.toThrow("keys and passwords");
    await expect(add("/")).rejects.toThrow("everything of yours");
    await expect(add(join(live.home, "cache"))).rejects.toThrow("harness's own");
    await expect(add(docs, "a/b")).rejects.toThrow('cannot be named "a/b"');
    await add(docs, "desk");
    await expect(add(docs)).rejects.toThrow("is a collection already: desk");
    await expect(add(live.home)).rejects.toThrow("everything of yours");
    await expect(add(join(live.cwd, "src"), "desk")).rejects.toThrow("There is a collection named desk already");
    expect(await rows()).toEqual([`desk=${docs}`]);
  });

  it("is added, listed and removed by /index", async () => {
    const run = async (args: string) => (await client.call("command/run", { cwd: live.cwd, name: "index", args })).text;
    expect(await run("add ../handbook --name desk")).toBe("desk is added: 1 file in 1 chunk.");
    expect(await run("list")).toMatch(/^this folder {2}.*, up to date\ndesk {2}.*handbook {2}1 file in 1 chunk, .*$/);
    expect((await client.call("command/run", { cwd: live.cwd, name: "search", args: "marmot room" })).text).toMatch(
      /^\[desk\] .*rooms\.md:1-3/,
    );
    expect(await run("rm desk")).toBe("desk is no longer a collection. Its documents stay where they are.");
    expect(await rows()).toEqual([]);
  });
});

/** Kills the processes that index for this test's server. */
function killIndexers(): void {
  const found = execFileSync("pgrep", ["-P", String(pid), "-f", "search-indexer|indexing/process"]).toString();
  for (const pid of found.trim().split("\n")) process.kill(Number(pid), "SIGKILL");
}

it("a model finds code, changes it, and finds it as it is now", async () => {
  const server = await ChangingServer.start();
  ({ live, client } = server);
  put("src/retry.ts", RETRY);
  await server.set({
    index_min_files: 1,
    provider: "openai",
    model: "scripted",
    permission_mode: "allow-all",
    ...server.addresses,
  });
  await client.call("index/refresh", { cwd: live.cwd });
  const sessionId = await server.open();
  const ask = (query: string) => turns.call("semantic_search", { query });
  const edit = {
    path: "src/retry.ts",
    old_string: "status === 429 ? 5 : 2",
    new_string: "status === 429 ? MARMOT : 2",
  };
  const script = [
    ask("how often is a request sent again"),
    turns.call("read", { path: "src/retry.ts" }),
    turns.call("edit", edit),
    ask("marmot retry limit"),
    turns.say("end"),
  ];
  const { outcomes } = await observeTurn({ live, client, servers: [live.model] }, sessionId, script);
  const texts = outcomes.map(({ text }) => text);
  expect(texts[0]).toMatch(/^## src\/retry\.ts:1-4 \(1\.00; /);
  expect(texts[0]).toContain("```typescript\n/** How often a request is sent again. */");
  expect(texts[0]).toContain("and is up to date.");
  expect(texts[3]).toContain("429 ? MARMOT : 2");
  await server.close();
});
