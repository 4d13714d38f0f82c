import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock, Egress } from "@harness/core";
import { QdrantServer } from "@harness/testkit";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { chunkOf, fileOf, storeContract, vectorContract } from "../../../test/store-contract.ts";
import { wordsOf } from "../../words/words.ts";
import { StoreError } from "../store-error.ts";
import { QdrantStore } from "./qdrant-store.ts";

// A strict fake: no real server has answered these requests.

const server = await QdrantServer.start({ apiKey: "test-key" });
afterAll(() => server.stop());
const slept: number[] = [];
const clock: Clock = { now: () => 0, monotonicMs: () => 0, sleep: async (ms) => void slept.push(ms) };
const options = (name: string) => ({ url: server.url, name, clock, apiKey: "test-key" });

const open = (name: string) => QdrantStore.open(options(name));
storeContract({ name: "qdrant", open });
vectorContract({ name: "qdrant", open });

const put = (...files: ReturnType<typeof fileOf>[]) => ({ put: files, touched: [], removed: [] });
const example = () => fileOf("a.ts", [chunkOf("reads a file", "a.ts"), chunkOf("writes a file", "a.ts")]);

beforeEach(() => {
  slept.length = 0;
  server.faults.length = 0;
});

describe("the store qdrant", () => {
  it("makes collections with the layout of its address", async () => {
    const url = `${server.url}/?shards=6&replicas=3&write_consistency=2&quantization=binary`;
    const store = await QdrantStore.open({ ...options("layout"), url });
    await store.collection({ key: "one@3", name: "one", dimensions: 3 });
    const copies = { shard_number: 6, replication_factor: 3, write_consistency_factor: 2 };
    const made = server.requests.filter(({ method, path }) => method === "PUT" && /^\/collections\/[^/]+$/.test(path));
    expect(made.slice(-2).map(({ body }) => body)).toMatchObject([
      { ...copies, sparse_vectors: { words: { modifier: "idf" }, file_words: { modifier: "idf" } } },
      {
        ...copies,
        vectors: { text: { size: 3, distance: "Cosine", on_disk: true } },
        quantization_config: { binary: { always_ram: true } },
      },
    ]);
    await store.close();
  });

  it("writes the same content to the same points, so that a write can be made again", async () => {
    const store = await open("again");
    await store.write(put(example()));
    const before = await store.fileChunks("a.ts");
    await store.write(put(example()));
    expect(await store.fileChunks("a.ts")).toEqual(before);
    const edited = fileOf("a.ts", [chunkOf("new", "a.ts"), ...example().chunks], { digest: "new" });
    await store.write(put(edited));
    const after = await store.fileChunks("a.ts");
    expect(after.slice(1).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after.map(({ text }) => text)).toEqual(["new", "reads a file", "writes a file"]);
    await store.close();
  });

  it("writes a file's state last: after a write that was cut off, the file still counts as not indexed", async () => {
    const store = await open("cut");
    // The embedders, the earlier chunks and the new ones; then the file.
    server.faults.push("none", "none", "none", { status: 400 });
    await expect(store.write(put(example()))).rejects.toThrow(StoreError);
    expect(await store.counts()).toEqual({ files: 0, chunks: 2, fallbacks: 0 });
    expect((await store.files()).size).toBe(0);
    await store.write(put(example()));
    expect(await store.counts()).toEqual({ files: 1, chunks: 2, fallbacks: 0 });
    await store.close();
  });

  it("copies equal chunks of one file", async () => {
    const store = await open("copies");
    await store.write(put(fileOf("a.ts", [chunkOf("same", "a.ts"), chunkOf("same", "a.ts", { startLine: 9 })])));
    expect((await store.fileChunks("a.ts")).map(({ startLine }) => startLine)).toEqual([1, 9]);
    await store.close();
  });

  it("swaps an alias when another embedder's vectors are complete", async () => {
    const store = await open("swap");
    await store.write(put(example()));
    for (const [key, dimensions] of [
      ["one@2", 2],
      ["two@3", 3],
    ] as const) {
      const collection = await store.collection({ key, name: key, dimensions });
      const texts = await collection.missing(10);
      const vector = Float32Array.from({ length: dimensions }, (_, at) => (at === 0 ? 1 : 0));
      await collection.put(texts.map(({ digest }) => ({ digest, vector })));
      await store.adopt(key);
      expect(await store.nearest(vector, 5)).toHaveLength(2);
    }
    const swaps = server.requests.filter(({ path }) => path === "/collections/aliases").slice(-2);
    for (const { body } of swaps) expect(body).toMatchObject({ actions: [{ delete_alias: {} }, { create_alias: {} }] });
    const alias = [...server.aliases.keys()].at(-1) ?? "";
    const vectors = [...server.collections.keys()].filter((name) => alias.startsWith(name.split("-", 3).join("-")));
    // That of the index, and that of its embedder.
    expect(vectors).toHaveLength(2);
    await expect(store.collection({ key: "two@3", name: "two", dimensions: 4 })).rejects.toThrow(
      "have 3 dimensions and not 4",
    );
    await store.close();
  });

  it("makes vectors again whose collection was deleted", async () => {
    const store = await open("deleted");
    await store.write(put(example()));
    const first = await store.collection({ key: "one@2", name: "one", dimensions: 2 });
    await first.giveUp((await first.missing(10)).map(({ digest }) => digest));
    expect(await first.missing(10)).toEqual([]);
    server.collections.delete([...server.collections.keys()].at(-1) ?? "");
    expect(await (await store.collection({ key: "one@2", name: "one", dimensions: 2 })).missing(10)).toHaveLength(2);
    await store.close();
  });

  it("prefers files as the embedded store does", async () => {
    const store = await open("order");
    const subjects = ["parse the config", "config of a server", "server port and host", "draw a window"];
    await store.write(put(...subjects.map((text, at) => fileOf(`${at}.ts`, [chunkOf(text, `${at}.ts`)]))));
    const query = wordsOf("server config").map((word) => ({ word, weight: 1 }));
    expect((await store.searchWords(query, 2)).files.map(({ path }) => path)[0]).toBe("1.ts");
    await store.close();
  });
});

describe("requests to qdrant", () => {
  it.each([
    [[{ status: 429, headers: { "retry-after": "7" } }], [7_000]],
    [[{ status: 503 }], [500]],
    // A kept connection that breaks is replaced at once.
    [["reset" as const, "reset" as const], [500]],
  ])("are sent again after %j", async (faults, waits) => {
    const store = await open("faults");
    server.faults.push(...faults);
    expect(await store.counts()).toMatchObject({ files: 0 });
    expect(slept).toEqual(waits);
    await store.close();
  });

  it("end after some attempts", async () => {
    server.faults.push(...Array.from({ length: 5 }, () => ({ status: 503 })));
    await expect(open("busy")).rejects.toThrow("has a problem: look at its log. It says: fault");
    expect(slept).toEqual([500, 1_000, 2_000, 4_000]);
  });

  it.each([
    [{ url: "http://127.0.0.1:1" }, "Qdrant at 127.0.0.1:1 is not running"],
    [{ url: "http://127.0.0.1:1/?shards=x" }, "`shards` must be a number"],
    [{ apiKey: "wrong" }, "does not accept the API key: check the variable QDRANT_API_KEY"],
  ])("explain %j", async (more, message) => {
    const failed = QdrantStore.open({ ...options("x"), ...more });
    await expect(failed).rejects.toThrow(StoreError);
    await expect(failed).rejects.toThrow(message);
  });

  it("explain a disk that is full, and text of the server in one short line", async () => {
    server.faults.push(
      ...Array.from({ length: 5 }, () => ({
        status: 500,
        body: JSON.stringify({ status: { error: `No space left on device\n${"x".repeat(1_000)}` } }),
      })),
    );
    const failed = open("full");
    await expect(failed).rejects.toThrow(
      /has no space left: free some\. It says: No space left on device x{200,300}…$/,
    );
  });

  it("explain a server of another kind", async () => {
    const other = createServer((_, response) => response.end("<html>hello</html>"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const failed = QdrantStore.open({ ...options("x"), url: `http://127.0.0.1:${port}` });
    await expect(failed).rejects.toThrow("does not answer as Qdrant does");
    other.closeAllConnections();
    other.close();
  });

  it("leave the machine only if that is allowed", async () => {
    const seen: unknown[] = [];
    const egress: Egress = {
      localOnly: true,
      leave: (request) => {
        seen.push(request);
        return { refused: "Only this machine." };
      },
      barrier: async () => undefined,
    };
    await expect(QdrantStore.open({ ...options("x"), egress })).rejects.toThrow("Only this machine.");
    expect(seen).toEqual([{ purpose: "index", method: "GET", url: server.url }]);
    const judged: Egress = { ...egress, leave: () => ({ judge: (address) => `Not ${address}.` }) };
    await expect(QdrantStore.open({ ...options("x"), egress: judged })).rejects.toThrow("Not 127.0.0.1.");
  });
});
