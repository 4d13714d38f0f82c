// The index of a folder in stores elsewhere, over the wire: real processes, a strict imitation of Qdrant, a real
// PostgreSQL with pgvector.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type HarnessClient, openClient } from "@harness/client";
import { QdrantServer } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LiveServer } from "../support/live-server.ts";

let live: LiveServer;
let client: HarnessClient;

let progress: Promise<void>;

async function connect(variables: Record<string, string>): Promise<void> {
  const { channel } = live.spawn(variables);
  const first = Promise.withResolvers<void>();
  progress = first.promise;
  client = await openClient(channel, {
    clientInfo: { name: "test", version: "1" },
    onUpdate: () => undefined,
    notices: { "index/progress": () => first.resolve() },
    onLost: () => undefined,
    onBug: (error) => {
      throw error;
    },
  });
}

const refresh = () => client.call("index/refresh", { cwd: live.cwd });
const search = async (query: string) =>
  (await client.call("index/search", { cwd: live.cwd, query, waitMs: 60_000 })).results.map(({ path }) => path);

describe("an index in Qdrant", () => {
  let server: QdrantServer;
  beforeEach(async () => {
    server = await QdrantServer.start({ apiKey: "test-key" });
    live = await LiveServer.start({ turns: [] });
    mkdirSync(join(live.cwd, "src"), { recursive: true });
    writeFileSync(join(live.cwd, "src/retry.ts"), "export function retryLimit() {\n  return 5;\n}\n");
    writeFileSync(join(live.cwd, "src/parse.py"), "def parse_date(text):\n    return text\n");
  });
  afterEach(async () => {
    await live.close();
    await server.stop();
  });

  it("is made, searched, kept up to date and deleted there, and nothing is written here", async () => {
    await connect({ HARNESS_INDEX_STORE: server.url, QDRANT_API_KEY: "test-key" });
    await expect(search("retry")).rejects.toThrow("This folder has no index yet");
    expect(await refresh()).toMatchObject({ indexed: 2, index: { files: 2, chunks: 2, fresh: true } });
    expect(await search("how often is a request retried?")).toEqual(["src/retry.ts"]);
    expect(await client.call("index/symbols", { cwd: live.cwd, name: "retryLimit" })).toMatchObject({
      symbols: [{ path: "src/retry.ts", line: 1 }],
    });
    renameSync(join(live.cwd, "src/retry.ts"), join(live.cwd, "src/again.ts"));
    expect(await search("retry limit")).toEqual(["src/again.ts"]);
    expect(await client.call("index/status", { cwd: live.cwd })).toMatchObject({ index: { files: 2, fresh: true } });
    expect((await client.call("egress/list", { last: 10 })).entries.at(-1)).toMatchObject({
      purpose: "index",
      origin: server.url,
    });
    expect(server.collections.size).toBe(1);
    expect(await client.call("index/remove", { cwd: live.cwd })).toEqual({ removed: true });
    expect(server.collections.size).toBe(0);
    expect(await client.call("index/status", { cwd: live.cwd })).toEqual({});
  });

  it("says that the key is wrong", async () => {
    await connect({ HARNESS_INDEX_STORE: server.url, QDRANT_API_KEY: "wrong" });
    await expect(refresh()).rejects.toThrow("does not accept the API key: check the variable QDRANT_API_KEY");
  });

  it("is made anew where the setting says, and found again where it was", async () => {
    await connect({ QDRANT_API_KEY: "test-key" });
    const choose = (value: string | null) => client.call("settings/set", { edits: [{ key: "index_store", value }] });
    await refresh();
    await choose(server.url);
    await expect(search("retry")).rejects.toThrow("This folder has no index yet");
    expect(await refresh()).toMatchObject({ indexed: 2 });
    writeFileSync(join(live.cwd, "src/new.ts"), "export const marmot = 1;\n");
    expect(await search("marmot")).toEqual(["src/new.ts"]);
    await choose(null);
    expect(await search("marmot")).toEqual(["src/new.ts"]);
  });

  it("is left with what it has where the setting changes while it is made", async () => {
    for (let file = 0; file < 1_500; file += 1) {
      writeFileSync(join(live.cwd, `src/f${file}.ts`), `export function marmot${file}() {}\n`);
    }
    await connect({ QDRANT_API_KEY: "test-key" });
    const choose = (value: string | null) => client.call("settings/set", { edits: [{ key: "index_store", value }] });
    await choose(server.url);
    const refreshing = refresh().catch((error: Error) => error.message);
    await progress;
    await client.call("index/pause", { isPaused: true });
    await choose(null);
    await client.call("index/pause", { isPaused: false });
    expect(await refreshing).toContain("The setting `index_store` was changed meanwhile: run `harness index` again.");
    expect(await refresh()).toMatchObject({ indexed: 1_502, index: { files: 1_502 } });
    await choose(server.url);
    const rest = await refresh();
    expect(rest).toMatchObject({ index: { files: 1_502 } });
    expect(rest.indexed).toBeLessThan(1_502);
  });

  it.each([
    ["http://qdrant.example.com:6333", { HARNESS_LOCAL_ONLY: "1" }, /local-only mode|cannot be found/],
    ["http://8.8.8.8:6333", { HARNESS_LOCAL_ONLY: "1" }, /http:\/\/8\.8\.8\.8:6333 is not on this machine/],
    ["postgres://user:secret@127.0.0.1/db", {}, /contains a password.*PGPASSWORD/],
    ["ftp://127.0.0.1", {}, /not an address of PostgreSQL or Qdrant/],
  ])("is not made at %s", async (address, variables, problem) => {
    await connect({ HARNESS_INDEX_STORE: address, ...variables });
    const failed = refresh();
    await expect(failed).rejects.toThrow(problem);
    await expect(failed).rejects.not.toThrow("secret");
  });

  it("is not chosen by the files of a project", async () => {
    mkdirSync(join(live.cwd, ".harness"));
    writeFileSync(join(live.cwd, ".harness/settings.json"), JSON.stringify({ index_store: server.url }));
    await connect({});
    expect(await refresh()).toMatchObject({ index: { files: 2 } });
    expect(server.requests).toEqual([]);
  });
});
