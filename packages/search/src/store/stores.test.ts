import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import type { Clock } from "@harness/core";
import { QdrantServer } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chunkOf, fileOf, storeContract, vectorContract } from "../../test/store-contract.ts";
import { EmbeddedStore } from "./embedded/embedded-store.ts";
import { findIndexStore, type IndexStoreLocation, openIndexStore, removeIndexStore } from "./stores.ts";

const folder = mkdtempSync(join(tmpdir(), "harness stores "));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const clock: Clock = { now: () => 0, monotonicMs: () => 0, sleep: async () => undefined };

const embedded = { name: "embedded", open: async (name: string) => EmbeddedStore.make(join(folder, `${name}.db`)) };
storeContract(embedded);
vectorContract(embedded);

describe("the stores that a setting can name", () => {
  let qdrant: QdrantServer;
  let database: PGlite;
  let postgres: PGLiteSocketServer;
  beforeAll(async () => {
    qdrant = await QdrantServer.start({ apiKey: "secret" });
    database = await PGlite.create({ extensions: { vector } });
    postgres = new PGLiteSocketServer({ db: database, port: 0, host: "127.0.0.1", maxConnections: 20 });
    await postgres.start();
  }, 60_000);
  afterAll(async () => {
    await qdrant.stop();
    await postgres.stop();
    await database.close();
  });

  const remote = (address: string, name: string) => ({ address, name, secret: "secret", localOnly: true });
  const target = (kind: string, name: string): IndexStoreLocation => ({
    database: join(folder, `${name}.db`),
    ...(kind === "qdrant" && { remote: remote(qdrant.url, name) }),
    ...(kind === "postgres" && { remote: remote(`postgres://postgres@${postgres.getServerConn()}/postgres`, name) }),
  });
  const file = () => fileOf("a.ts", [chunkOf("some text", "a.ts")]);

  it.each(["embedded", "postgres", "qdrant"])("are opened, found again and removed: %s", async (kind) => {
    const place = target(kind, `${kind} one`);
    const store = await openIndexStore(place, clock);
    await store.write({ put: [file()], touched: [], removed: [] });
    await (await store.collection({ key: "k", name: "k", dimensions: 2 })).giveUp(["digest of some text"]);
    await store.close();
    const other = await openIndexStore(target(kind, `${kind} two`), clock);
    expect(await other.counts()).toEqual({ files: 0, chunks: 0, fallbacks: 0 });
    const found = await findIndexStore(place, clock);
    expect(await found?.counts()).toEqual({ files: 1, chunks: 1, fallbacks: 0 });
    await found?.close();
    await removeIndexStore(place, clock);
    const again = await openIndexStore(place, clock);
    expect(await again.counts()).toEqual({ files: 0, chunks: 0, fallbacks: 0 });
    await again.close();
    await other.close();
    if (kind !== "embedded") expect(existsSync(place.database)).toBe(false);
  });

  it("reach only this machine and private networks where that is set", async () => {
    const place = { database: "", remote: remote("http://8.8.8.8:6333", "far") };
    await expect(openIndexStore(place, clock)).rejects.toThrow("harness is in local-only mode");
    const database = { database: "", remote: remote("postgres://u@8.8.8.8/db", "far") };
    await expect(openIndexStore(database, clock)).rejects.toThrow("harness is in local-only mode");
  });
});
