import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import type { Clock } from "@harness/core";
import { afterAll, describe, expect, it } from "vitest";
import { chunkOf, fileOf, storeContract, vectorContract } from "../../../test/store-contract.ts";
import { wordsOf } from "../../words/words.ts";
import { EmbeddedStore } from "../embedded/embedded-store.ts";
import { StoreError } from "../store-error.ts";
import { PgvectorStore } from "./pgvector-store.ts";

// A real PostgreSQL with pgvector, in this process, behind its wire protocol.

const database = await PGlite.create({ extensions: { vector } });
const server = new PGLiteSocketServer({ db: database, port: 0, host: "127.0.0.1", maxConnections: 20 });
await server.start();
const url = `postgres://postgres@${server.getServerConn()}/postgres`;
const clock: Clock = { now: () => 0, monotonicMs: () => 0, sleep: async () => undefined };
afterAll(async () => {
  await server.stop();
  await database.close();
});

const open = (name: string) => PgvectorStore.open({ url, name, clock });
storeContract({ name: "pgvector", open });
vectorContract({ name: "pgvector", open });

describe("the store pgvector", () => {
  it("has a partition for each index, and is made by two at once", async () => {
    const [one, two] = await Promise.all([open("shared"), open("shared")]);
    await one.write({ put: [], touched: [], removed: [] });
    const { rows } = await database.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM harness_search.indexes WHERE name = 'shared'",
    );
    expect(rows).toEqual([{ count: 1 }]);
    await one.close();
    await two.close();
  });

  it("scores words as the embedded store does", async () => {
    const folder = mkdtempSync(join(tmpdir(), "harness scores "));
    const stores = [await open("scores"), EmbeddedStore.make(join(folder, "index.db"))];
    const subjects = [
      "parse the config",
      "config of a server",
      "server port and host",
      "draw a window",
      "parse a window",
    ];
    const files = subjects.map((text, at) => {
      const path = `src/${at % 2 === 0 ? "config" : "window"}/file${at}.ts`;
      const chunks = [chunkOf(text, path, { names: [`part${at}`, "parse"] }), chunkOf(`${text} ${text} more`, path)];
      return fileOf(path, chunks, { digest: `d${at}` });
    });
    const query = wordsOf("parse config window port").map((word, at) => ({ word, weight: 1 - at / 10 }));
    const scores = await Promise.all(
      stores.map(async (store) => {
        await store.write({ put: files, touched: [], removed: [] });
        const hits = await store.searchWords(query, 20);
        const list = [...hits.chunks, ...hits.files].map(({ path, score }) => `${path} ${score.toFixed(3)}`);
        await store.close();
        return list.toSorted();
      }),
    );
    rmSync(folder, { recursive: true, force: true });
    expect(scores[0]).toEqual(scores[1]);
    expect(scores[0]?.length).toBeGreaterThan(10);
  });

  it("is made anew if it was of another version", async () => {
    const store = await open("old");
    await store.write({ put: [], touched: [], removed: [] });
    await store.close();
    await database.query("UPDATE harness_search.indexes SET version = 0 WHERE name = 'old'");
    const again = await open("old");
    expect(await again.counts()).toEqual({ files: 0, chunks: 0, fallbacks: 0 });
    await again.close();
  });

  it.each([
    ["postgres://127.0.0.1:1/none", "is not running"],
    ["mysql://localhost", "is not valid"],
    ["postgres://u:secret@127.0.0.1:1/none", "PostgreSQL at 127.0.0.1:1/none"],
  ])("explains %s", async (address, message) => {
    const failed = PgvectorStore.open({ url: address, name: "x", clock });
    await expect(failed).rejects.toThrow(StoreError);
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.not.toThrow("secret");
  });

  it("leaves the machine only if that is allowed", async () => {
    const egress = {
      localOnly: true,
      leave: () => ({ refused: "Only this machine." }),
      barrier: async () => undefined,
    };
    await expect(PgvectorStore.open({ url, name: "x", clock, egress })).rejects.toThrow("Only this machine.");
  });
});
