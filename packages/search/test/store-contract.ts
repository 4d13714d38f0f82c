import { describe, expect, it } from "vitest";
import type { IndexedChunk } from "../src/chunks/chunker.ts";
import type { VectorStore } from "../src/embed/vector-collection.ts";
import type { FileState, IndexedFile, IndexStore } from "../src/store/index-store.ts";
import { wordsOf } from "../src/words/words.ts";

/** Opens a store of its own for each test: a new one, or the same again after it was closed. */
export type StoreRow = { name: string; open(index: string): Promise<IndexStore & Partial<VectorStore>> };

export function chunkOf(text: string, path: string, more: Partial<IndexedChunk> = {}): IndexedChunk {
  const names = more.names ?? [];
  return {
    ...{ kind: "function", startLine: 1, endLine: 2, names, signatures: [], comment: "", text },
    digest: `digest of ${text}`,
    words: {
      name: names.flatMap(wordsOf),
      path: wordsOf(path),
      comment: wordsOf(more.comment ?? ""),
      body: wordsOf(text),
    },
    ...more,
  };
}

export function fileOf(path: string, chunks: IndexedChunk[], more: Partial<IndexedFile> = {}): IndexedFile {
  const state = { path, digest: `content ${chunks.length}`, sizeBytes: 10, mtimeMs: 1_700_000_000_000.5 };
  return { ...state, language: "typescript", header: "", isFallback: false, chunks, ...more };
}

const nothing = { put: [], touched: [], removed: [] };
const put = (...files: IndexedFile[]) => ({ ...nothing, put: files });
const words = (text: string) => wordsOf(text).map((word) => ({ word, weight: 1 }));

const parser = () =>
  fileOf("src/config/parse.ts", [
    chunkOf("reads the settings file and returns values", "src/config/parse.ts", {
      ...{
        names: ["parseConfig"],
        signatures: ["export function parseConfig(path: string)"],
        startLine: 3,
        endLine: 9,
      },
      comment: "Reads settings.",
    }),
    chunkOf("writes the settings file", "src/config/parse.ts", { names: ["writeConfig"], startLine: 11, endLine: 20 }),
  ]);
const server = () =>
  fileOf("src/server.ts", [
    chunkOf("listens on a port for requests", "src/server.ts", { names: ["HttpServer"], kind: "class" }),
  ]);

/** Another name each time. */
function namesFrom(start: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${start} ${count}`;
  };
}

/** The promises of every store of an index. */
export function storeContract(row: StoreRow): void {
  const nameOf = namesFrom("index");
  const fresh = () => row.open(nameOf());
  const paths = (found: { path: string }[]) => found.map(({ path }) => path);

  describe(`files of the store ${row.name}`, () => {
    it("are there when a write resolves, with their states, also after the store was opened again", async () => {
      const name = nameOf();
      const store = await row.open(name);
      const { path, digest, sizeBytes, mtimeMs } = parser();
      const state: FileState = { path, digest, sizeBytes, mtimeMs };
      const binary = fileOf("logo.png", [], { language: "" });
      await store.write(put(parser(), binary));
      expect((await store.files()).get(path)).toEqual(state);
      expect(await store.counts()).toEqual({ files: 1, chunks: 2, fallbacks: 0 });
      await store.close();
      const again = await row.open(name);
      expect([...(await again.files()).keys()].toSorted()).toEqual(["logo.png", path]);
      expect(await again.fileChunks(path)).toMatchObject([
        { names: ["parseConfig"], path },
        { names: ["writeConfig"] },
      ]);
      await again.close();
    });

    it("are replaced, touched and removed", async () => {
      const store = await fresh();
      await store.write(put(parser(), server()));
      const changed = fileOf("src/server.ts", [chunkOf("answers", "src/server.ts")], { isFallback: true });
      const touched = { ...parser(), mtimeMs: 5, sizeBytes: 7 };
      await store.write({ put: [changed], touched: [touched], removed: ["never/there.ts"] });
      expect((await store.files()).get(touched.path)).toMatchObject({ mtimeMs: 5, sizeBytes: 7 });
      expect(await store.counts()).toEqual({ files: 2, chunks: 3, fallbacks: 1 });
      expect((await store.searchWords(words("listens port"), 10)).chunks).toEqual([]);
      await store.write({ ...nothing, removed: [touched.path] });
      expect(await store.counts()).toEqual({ files: 1, chunks: 1, fallbacks: 1 });
      expect(await store.fileChunks(touched.path)).toEqual([]);
      await store.close();
    });

    it("keep every text as it is", async () => {
      const store = await fresh();
      const text = "const π = '\u{1f389}';\r\n\tif (a < b && \"c\\n\") { $1 = 'it''s'; } -- {}[];";
      const path = "sub folder/ü'%_.ts";
      const chunk = chunkOf(text, path, {
        comment: "Ein „Satz“.",
        signatures: ["class A<T>", "b(): void"],
        names: ["a", "b"],
      });
      await store.write(put(fileOf(path, [chunk], { digest: "x" })));
      const [stored] = await store.fileChunks(path);
      const { kind, startLine, endLine, names, signatures, comment } = chunk;
      expect(stored).toMatchObject({ kind, startLine, endLine, names, signatures, comment, text, path });
      expect(await store.chunks([stored?.id ?? 0])).toEqual([stored]);
      await store.close();
    });

    it("accept NUL and half characters", async () => {
      const store = await fresh();
      await store.write(put(fileOf("a.ts", [chunkOf("nul \0 half \ud83d end", "a.ts", { digest: "d" })])));
      expect((await store.fileChunks("a.ts"))[0]?.text).toMatch(/^nul .* half .* end$/);
      await store.close();
    });

    it("of two indexes do not mix", async () => {
      const [one, two] = [await fresh(), await fresh()];
      await one.write(put(parser()));
      await two.write(put(server()));
      expect(await one.counts()).toMatchObject({ files: 1, chunks: 2 });
      expect((await two.searchWords(words("settings"), 10)).files).toEqual([]);
      await one.close();
      await two.close();
    });
  });

  describe(`searches of the store ${row.name}`, () => {
    it("find chunks and whole files by their words, the best first", async () => {
      const store = await fresh();
      await store.write(put(parser(), server()));
      const { chunks, files } = await store.searchWords(words("parse config settings"), 10);
      const found = await store.chunks(chunks.map(({ chunk }) => chunk));
      expect(found.map(({ names }) => names[0])).toEqual(["parseConfig", "writeConfig"]);
      expect(paths(chunks)).toEqual(["src/config/parse.ts", "src/config/parse.ts"]);
      expect(chunks[0]?.score).toBeGreaterThan(chunks[1]?.score ?? 0);
      expect(paths(files)).toEqual(["src/config/parse.ts"]);
      expect((await store.searchWords(words("settings"), 1)).chunks).toHaveLength(1);
      await store.close();
    });

    it("count rare words more, and words that were not typed less", async () => {
      const store = await fresh();
      const common = Array.from({ length: 8 }, (_, at) => fileOf(`f${at}.ts`, [chunkOf("alpha common", `f${at}.ts`)]));
      await store.write(put(...common, fileOf("rare.ts", [chunkOf("zebra common", "rare.ts")])));
      const rare = await store.searchWords(words("common zebra"), 3);
      expect(rare.files[0]?.path).toBe("rare.ts");
      const query = [
        { word: "alpha", weight: 1 },
        { word: "zebra", weight: 0.01 },
      ];
      expect((await store.searchWords(query, 1)).files[0]?.path).toMatch(/^f\d\.ts$/);
      expect(await store.searchWords([], 5)).toEqual({ chunks: [], files: [] });
      expect(await store.searchWords(words("nowhere"), 5)).toEqual({ chunks: [], files: [] });
      await store.close();
    });

    it("find names, first in the same case, then with the name in them", async () => {
      const store = await fresh();
      const name = (own: string) => chunkOf(own, "n.ts", { names: [own] });
      await store.write(put(fileOf("n.ts", ["parser", "Parser", "myParserError", "other"].map(name))));
      const named = async (part: string, isPart: boolean) =>
        (await store.searchSymbols(part, { limit: 10, isPart })).map((hit) => hit.name);
      expect(await named("Parser", false)).toEqual(["Parser", "parser"]);
      expect(await named("Parser", true)).toEqual(["Parser", "parser", "myParserError"]);
      expect(await named("%", true)).toEqual([]);
      expect(await store.searchSymbols("parser", { limit: 1, isPart: true })).toHaveLength(1);
      await store.close();
    });

    it("leave out ids that no longer exist, and keep the order", async () => {
      const store = await fresh();
      await store.write(put(parser(), server()));
      const [first, second] = await store.fileChunks("src/config/parse.ts");
      const [other] = await store.fileChunks("src/server.ts");
      await store.write({ ...nothing, removed: ["src/server.ts"] });
      const ids = [second?.id ?? 0, other?.id ?? 0, first?.id ?? 0];
      expect((await store.chunks(ids)).map(({ names }) => names[0])).toEqual(["writeConfig", "parseConfig"]);
      await store.close();
    });

    it("score an index after edits as a new one", async () => {
      const [edited, made] = [await fresh(), await fresh()];
      await edited.write(put(server(), fileOf("old.ts", [chunkOf("settings port", "old.ts")])));
      await edited.write({ put: [parser(), server()], touched: [], removed: ["old.ts"] });
      await made.write(put(server(), parser()));
      const question = words("settings config port");
      const scores = async (store: IndexStore) => {
        const { chunks, files } = await store.searchWords(question, 10);
        return [...chunks, ...files].map(({ score }) => score.toFixed(4));
      };
      expect(await scores(edited)).toEqual(await scores(made));
      while (await edited.tidy()) expect(await edited.counts()).toMatchObject({ chunks: 3 });
      expect(await scores(edited)).toEqual(await scores(made));
      await edited.close();
      await made.close();
    });
  });
}

/** The promises about vectors. */
export function vectorContract(row: { name: string; open(index: string): Promise<IndexStore & VectorStore> }): void {
  const nameOf = namesFrom("vectors");
  const fresh = () => row.open(nameOf());
  const vector = (...values: number[]) => {
    const length = Math.hypot(...values);
    return Float32Array.from(values, (value) => value / length);
  };
  const one = { key: "one@3", name: "ollama/one", dimensions: 3 };
  const two = { key: "two@4", name: "ollama/two", dimensions: 4 };

  describe(`vectors of the store ${row.name}`, () => {
    it("are made for each text once, and found by nearness", async () => {
      const store = await fresh();
      const copy = fileOf("copy.ts", [chunkOf("listens on a port for requests", "copy.ts")]);
      await store.write(put(parser(), server(), copy));
      const collection = await store.collection(one);
      const missing = await collection.missing(10);
      expect(missing).toHaveLength(3);
      expect(missing.map(({ text }) => text)).toContainEqual(expect.stringContaining("parseConfig(path: string)"));
      expect(await collection.progress()).toEqual({ done: 0, total: 3 });
      const digestOf = (part: string) => missing.find(({ text }) => text.includes(part))?.digest ?? "";
      await collection.put([
        { digest: digestOf("reads"), vector: vector(1, 0, 0) },
        { digest: digestOf("writes"), vector: vector(0.7, 0.7, 0) },
      ]);
      expect(await collection.missing(10)).toHaveLength(1);
      await collection.put([{ digest: digestOf("listens"), vector: vector(0, 0, 1) }]);
      expect(await collection.progress()).toEqual({ done: 3, total: 3 });
      expect(await store.nearest(vector(1, 0, 0), 5)).toEqual([]);
      await store.adopt(one.key);
      expect(await store.adopted()).toEqual({ key: one.key, name: one.name });
      const near = await store.nearest(vector(1, 0.1, 0), 2);
      const found = await store.chunks(near.map(({ chunk }) => chunk));
      expect(found.map(({ names }) => names[0])).toEqual(["parseConfig", "writeConfig"]);
      expect(near[0]).toMatchObject({ path: "src/config/parse.ts" });
      expect(near[0]?.score).toBeGreaterThan(0.99);
      const both = await store.nearest(vector(0, 0, 1), 2);
      expect((await store.chunks(both.map(({ chunk }) => chunk))).map(({ path }) => path).toSorted()).toEqual([
        "copy.ts",
        "src/server.ts",
      ]);
      await store.close();
    });

    it("are kept for texts that stay, and go with those that leave", async () => {
      const store = await fresh();
      await store.write(put(parser(), server()));
      const collection = await store.collection(one);
      const missing = await collection.missing(10);
      await collection.put(missing.map(({ digest }, at) => ({ digest, vector: vector(1, at, 0) })));
      await store.adopt(one.key);
      await store.write(put(fileOf("src/renamed.ts", server().chunks)));
      await store.write({ ...nothing, removed: ["src/server.ts", "src/config/parse.ts"] });
      expect(await collection.missing(10)).toEqual([]);
      while (await store.tidy()) expect(await store.adopted()).toEqual({ key: one.key, name: one.name });
      const near = await store.nearest(vector(1, 0, 0), 10);
      expect((await store.chunks(near.map(({ chunk }) => chunk))).map(({ path }) => path)).toEqual(["src/renamed.ts"]);
      await store.close();
    });

    it("that were given up are not missing", async () => {
      const store = await fresh();
      await store.write(put(server()));
      const collection = await store.collection(one);
      const [text] = await collection.missing(10);
      await collection.giveUp([text?.digest ?? ""]);
      expect(await collection.missing(10)).toEqual([]);
      expect(await collection.progress()).toEqual({ done: 1, total: 1 });
      await store.adopt(one.key);
      expect(await store.nearest(vector(1, 0, 0), 10)).toEqual([]);
      await store.close();
    });

    it("of another embedder are made beside the old ones, and then take their place", async () => {
      const store = await fresh();
      await store.write(put(server()));
      const old = await store.collection(one);
      const [text] = await old.missing(10);
      await old.put([{ digest: text?.digest ?? "", vector: vector(1, 0, 0) }]);
      await store.adopt(one.key);
      const next = await store.collection(two);
      expect(await next.missing(10)).toHaveLength(1);
      expect(await store.nearest(vector(1, 0, 0), 5)).toHaveLength(1);
      await next.put([{ digest: text?.digest ?? "", vector: vector(0, 0, 0, 1) }]);
      await store.adopt(two.key);
      expect(await store.nearest(vector(1, 0, 0), 5)).toEqual([]);
      expect(await store.nearest(vector(0, 0, 0, 1), 5)).toHaveLength(1);
      expect(await (await store.collection(one)).missing(10)).toHaveLength(1);
      await store.close();
    });
  });
}
