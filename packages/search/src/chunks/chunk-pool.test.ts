import { expect, it } from "vitest";
import { ChunkPool } from "./chunk-pool.ts";
import { chunkSource } from "./chunk-source.ts";
import { ChunkThread } from "./chunk-thread.ts";
import { GrammarSet } from "./grammar-set.ts";

const files = Array.from({ length: 70 }, (_, index) => ({
  path: `src/file${index}.ts`,
  text: `/** Number ${index}. */\nexport function getItem${index}() {\n  return "größe 検索";\n}\n`,
}));

it("answers in the order of the files, as without threads", async () => {
  const pool = new ChunkPool();
  try {
    const grammars = new GrammarSet();
    expect(await pool.chunk(files)).toEqual(await Promise.all(files.map((file) => chunkSource(file, grammars))));
    expect(await pool.chunk([])).toEqual([]);
  } finally {
    await pool.close();
  }
}, 60_000);

class CrashingThread extends ChunkThread {
  override async chunk(list: Parameters<ChunkThread["chunk"]>[0]) {
    if (!list.some(({ path }) => path === "src/file7.ts")) return super.chunk(list);
    await this.end();
    return super.chunk(list);
  }
}

it("cuts a file that ends its thread by lines, and the others as ever", async () => {
  const pool = new ChunkPool(() => new CrashingThread());
  try {
    const results = await pool.chunk(files.slice(0, 40));
    expect(results.map(({ isFallback }) => isFallback)).toEqual(files.slice(0, 40).map((_, index) => index === 7));
    expect(results[7]?.chunks).toMatchObject([{ kind: "code", text: files[7]?.text.trimEnd() }]);
  } finally {
    await pool.close();
  }
}, 60_000);

it("does without threads that never start", async () => {
  const pool = new ChunkPool(() => new ChunkThread("/nowhere/chunk-worker.ts"));
  const results = await pool.chunk(files);
  expect(results.every(({ isFallback, chunks }) => isFallback && chunks.length === 1)).toBe(true);
  await pool.close();
}, 60_000);
