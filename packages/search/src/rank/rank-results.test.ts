import { describe, expect, it } from "vitest";
import { MemoryIndex } from "../../test/memory-index.ts";
import { chunkWords } from "../chunks/chunk-words.ts";
import type { Commit } from "../history/commit.ts";
import { CommitHistory } from "../history/commit-history.ts";
import type { ChunkId, StoredChunk } from "../store/index-store.ts";
import { type RankOptions, type RankSources, rankResults } from "./rank-results.ts";

type Part = string | { names: string[]; text: string };

/** Files in chunks of one line each. */
function indexOf(files: Readonly<Record<string, readonly Part[]>>): MemoryIndex {
  const made = Object.entries(files).map(([path, parts]) => ({
    path,
    language: "typescript",
    chunks: parts.map((part, index) => {
      const { names, text } = typeof part === "string" ? { names: [], text: part } : part;
      const line = index + 1;
      const kind = names.length > 0 ? ("function" as const) : ("code" as const);
      const chunk = { kind, startLine: line, endLine: line, names, signatures: [], comment: "", text };
      return { ...chunk, words: chunkWords(chunk, { path, header: "", isFirst: index === 0 }) };
    }),
  }));
  return new MemoryIndex(made);
}

let last = 0;
function commit(subject: string, ...paths: string[]): Commit {
  last += 1;
  return { id: String(last), time: last, subject, body: "", files: paths.map((path) => ({ path })) };
}

const search = (query: string, sources: RankSources, options: Partial<RankOptions> = {}) =>
  rankResults(query, sources, { limit: 10, ...options });
const paths = (results: readonly StoredChunk[]) => results.map(({ path }) => path);

const filler = { "src/a.ts": ["alpha one"], "src/b.ts": ["beta two"], "src/c.ts": ["gamma three"] };

describe("results", () => {
  it("are the chunks with the words, the best first, and say why", async () => {
    const index = indexOf({
      ...filler,
      "src/net.ts": ["connect to it", "retry after a timeout"],
      "src/log.ts": ["retry"],
    });
    const [first, second] = await search("Retries after timeouts", { index });
    expect(first).toMatchObject({ path: "src/net.ts", startLine: 2, score: 1, why: ["words: retries, timeouts"] });
    expect(second).toMatchObject({ path: "src/log.ts", why: ["words: retries"] });
    expect(second?.score).toBeLessThan(1);
  });

  it("are empty if nothing has a word", async () => {
    expect(await search("absent", { index: indexOf(filler) })).toEqual([]);
    expect(await search("?!", { index: indexOf(filler) })).toEqual([]);
    expect(await search("absent", { index: indexOf({}) })).toEqual([]);
  });

  it("put tests after code", async () => {
    const index = indexOf({ ...filler, "src/net.test.ts": ["retry retry retry"], "src/net.ts": ["retry the call"] });
    expect(paths(await search("retry", { index }))).toEqual(["src/net.ts", "src/net.test.ts"]);
  });

  it("put the definition of a name first", async () => {
    const index = indexOf({
      ...filler,
      "src/use.ts": ["RetryPolicy RetryPolicy RetryPolicy", "RetryPolicy"],
      "src/wait.ts": [{ names: ["RetryPolicy"], text: "class RetryPolicy" }],
    });
    const [first] = await search("RetryPolicy", { index });
    expect(first).toMatchObject({ path: "src/wait.ts", why: ["symbol: RetryPolicy", expect.stringMatching(/^words/)] });
  });

  it("put the part of the project first that the query names", async () => {
    const index = indexOf({
      ...filler,
      "server/x.ts": ["retry the call now"],
      "client/x.ts": ["retry the call later"],
    });
    expect(paths(await search("client: retry the call", { index }))[0]).toBe("client/x.ts");
    expect(paths(await search("server: retry the call", { index }))[0]).toBe("server/x.ts");
  });

  it("include files by the subjects of their commits, with their best chunk", async () => {
    const index = indexOf({
      ...filler,
      "src/net.ts": ["open", { names: ["send"], text: "send" }],
      "src/log.ts": ["log"],
    });
    const history = new CommitHistory([commit("Fix retry on 429", "src/net.ts"), commit("Log it", "src/log.ts")]);
    const [first, ...rest] = await search("retry when sent", { index, history });
    expect(first).toMatchObject({ path: "src/net.ts", startLine: 2 });
    expect(first?.why).toContain('history: "Fix retry on 429"');
    expect(rest).toEqual([]);
  });

  it("leave out files that only the history has", async () => {
    const history = new CommitHistory([commit("Fix retry", "src/gone.ts")]);
    expect(await search("retry", { index: indexOf(filler), history })).toEqual([]);
  });

  it("include files that change with a good one", async () => {
    const index = indexOf({ ...filler, "src/net.ts": ["retry"], "src/limits.ts": ["numbers"] });
    const both = ["src/net.ts", "src/limits.ts"];
    const history = new CommitHistory([commit("One", ...both), commit("Two", ...both), commit("Three", "src/a.ts")]);
    const [first, second] = await search("retry", { index, history });
    expect(first?.path).toBe("src/net.ts");
    expect(second).toMatchObject({ path: "src/limits.ts", why: ["changes with src/net.ts"] });
  });

  it("have one chunk of each file before others of the same file", async () => {
    const index = indexOf({
      ...filler,
      "src/net.ts": ["retry retry", "retry again", "retry"],
      "src/log.ts": ["a retry line"],
    });
    expect(new Set(paths(await search("retry", { index })).slice(0, 2)).size).toBe(2);
    expect(await search("retry", { index })).toHaveLength(4);
  });

  it("fold near-duplicates", async () => {
    const text = "retry one two three four five six seven eight nine ten eleven twelve thirteen";
    const index = indexOf({ ...filler, "src/net.ts": [text], "copy/net.ts": [text], "src/other.ts": ["retry"] });
    expect(paths(await search("retry", { index })).filter((path) => path.endsWith("net.ts"))).toHaveLength(1);
  });

  it("are those that a filter accepts, also far down", async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`src/m${n}.ts`, ["retry retry"]]));
    const index = indexOf({ ...many, "deep/net.ts": ["a long line with one retry among other words"] });
    const results = await search("retry", { index }, { acceptsPath: (path) => path.startsWith("deep/") });
    expect(paths(results)).toEqual(["deep/net.ts"]);
    const functions = await search("retry", { index }, { accepts: ({ kind }) => kind === "function" });
    expect(functions).toEqual([]);
  });

  it("follow vectors, where there are", async () => {
    const index = indexOf({ ...filler, "src/net.ts": ["attempt it again"] });
    const nearest = async () => [{ chunk: 3 as ChunkId, path: "src/net.ts", score: 0.8 }];
    const sources = { searchWords: index.searchWords.bind(index), searchSymbols: index.searchSymbols.bind(index) };
    const texts = { chunks: index.chunks.bind(index), fileChunks: index.fileChunks.bind(index) };
    const found = await search("retry", { index: { ...sources, ...texts, nearest }, vector: new Float32Array(4) });
    expect(found).toMatchObject([{ path: "src/net.ts", why: ["similar meaning"] }]);
  });
});
