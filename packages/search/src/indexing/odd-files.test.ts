// Files that no editor has written: an index leaves them out or cuts them by lines, in little memory.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ChunkPool } from "../chunks/chunk-pool.ts";
import { EmbeddedStore } from "../store/embedded/embedded-store.ts";
import { wordsOf } from "../words/words.ts";
import { IndexUpdate } from "./index-update.ts";

const root = mkdtempSync(join(tmpdir(), "odd-files-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const GIGABYTE = 1 << 30;
const minified = `var marmot=1;${"function f(a){return a?f(a-1):0}".repeat(20_000)}`;

it("indexes what can be read of odd files", async () => {
  const folder = join(root, "folder");
  mkdirSync(join(folder, "src"), { recursive: true });
  const write = (path: string, content: string | Buffer) => writeFileSync(join(folder, path), content);
  write("huge.sql", "");
  truncateSync(join(folder, "huge.sql"), GIGABYTE);
  write("crlf.ts", "/** A marmot. */\r\nexport function crlf() {\r\n  return 1;\r\n}\r\n");
  write("broken.py", Buffer.from("def caf\u00e9():\n    return 'marmot'\n", "latin1"));
  write("wide.txt", Buffer.from("\ufeffa marmot in UTF-16\n", "utf16le"));
  write("minified.js", minified);
  write("zeros.bin", Buffer.alloc(100));
  symlinkSync("..", join(folder, "src/loop"));
  symlinkSync("crlf.ts", join(folder, "link.ts"));
  execFileSync("mkfifo", [join(folder, "pipe.ts")]);
  const paths = ["huge.sql", "crlf.ts", "broken.py", "wide.txt", "minified.js", "zeros.bin"];
  const store = EmbeddedStore.make(join(root, "index.db"));
  const pool = new ChunkPool();
  try {
    const update = new IndexUpdate(store, pool, {
      folder,
      paths: [...paths, "src/loop", "src/loop/crlf.ts/below", "link.ts", "pipe.ts", "gone.ts"],
      isWhole: true,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      turn: async () => undefined,
      nowMs: Date.now,
    });
    expect(await update.run()).toEqual({ indexed: 4, removed: 0, isCut: false });
    expect([...(await store.files()).keys()].toSorted()).toEqual(paths.toSorted());
    expect(await store.fileChunks("huge.sql")).toEqual([]);
    expect(await store.fileChunks("crlf.ts")).toMatchObject([
      { names: ["crlf"], comment: "A marmot.", text: "/** A marmot. */\nexport function crlf() {\n  return 1;\n}" },
    ]);
    expect(await store.fileChunks("broken.py")).toMatchObject([{ text: "def caf\ufffd():\n    return 'marmot'" }]);
    expect((await store.fileChunks("minified.js")).reduce((sum, { text }) => sum + text.length, 0)).toBe(16_000);
    const words = wordsOf("marmot").map((word) => ({ word, weight: 1 }));
    const { files } = await store.searchWords(words, 10);
    expect(files.map(({ path }) => path).toSorted()).toEqual(["broken.py", "crlf.ts", "minified.js", "wide.txt"]);
  } finally {
    await pool.close();
    await store.close();
  }
}, 60_000);
