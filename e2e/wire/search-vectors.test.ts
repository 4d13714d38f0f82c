// The vectors of an index over the wire: they are made, kept, made again by another model, and done without.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HarnessClient } from "@harness/client";
import type { ScenarioInput } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { LiveServer } from "../support/live-server.ts";

let live: LiveServer;
let client: HarnessClient;

const EMBEDDER = "openai/scripted";
/** Asks a model that no table knows how long its vectors are. */
const PROBE = "dimensions";

async function start(embeddings: ScenarioInput["embeddings"] = {}): Promise<void> {
  live = await LiveServer.start({ turns: [], embeddings, models: [{ id: "scripted" }, { id: "other" }] });
  mkdirSync(live.cwd);
  put("src/retry.ts", "/** Sends a request again. */\nexport function retryLimit() {\n  return 5;\n}\n");
  put("src/parse.py", "def parse_date(text):\n    return text\n");
  put("docs/guide.md", "# Guide\n\nHow to install.\n");
  ({ client } = await live.connect());
}

function put(path: string, text: string): void {
  const at = join(live.cwd, path);
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(at, text);
}

const choose = (name = EMBEDDER) => client.call("index/set_embedder", { cwd: live.cwd, name });
const refresh = () => client.call("index/refresh", { cwd: live.cwd });
const search = (query: string) => client.call("index/search", { cwd: live.cwd, query, waitMs: 60_000 });

/** The texts of the index and the questions that a model made vectors of so far. */
function embedded(model = "scripted"): string[] {
  return live.model.requests.flatMap(({ path, body }) => {
    const asked = body as { model?: string; input?: string | string[] };
    if (!path.endsWith("/embeddings") || asked.model !== model) return [];
    return [asked.input ?? []].flat().filter((text) => text !== PROBE);
  });
}

describe("the vectors of an index", () => {
  afterEach(() => live.close());

  it("are made once, and kept for the next server", async () => {
    await start();
    expect(await choose()).toEqual({ name: EMBEDDER });
    expect(await refresh()).toMatchObject({ index: { files: 3, embedder: EMBEDDER } });
    const documents = embedded();
    expect(documents).toHaveLength(3);
    expect(documents.some((text) => text.includes("export function retryLimit() {"))).toBe(true);
    const { results, index } = await search("sends a request again");
    expect(index.embedder).toBe(EMBEDDER);
    expect(results[0]?.path).toBe("src/retry.ts");
    expect(results.flatMap(({ why }) => why)).toContain("similar meaning");
    put("src/retry.ts", "export function marmotSleeps() {}\n");
    expect(await refresh()).toMatchObject({ indexed: 1, index: { embedder: EMBEDDER } });
    const later = embedded().slice(documents.length);
    expect(later).toEqual(["sends a request again", expect.stringContaining("marmotSleeps")]);
    ({ client } = await live.connect());
    expect(await refresh()).toMatchObject({ indexed: 0, index: { embedder: EMBEDDER } });
    expect(embedded()).toHaveLength(documents.length + 2);
  });

  it("are those of the old model until the new one has all of its own", async () => {
    await start({ faults: [{ kind: "hang", text: "parse_date" }] });
    await choose();
    const first = refresh();
    await live.model.hanging();
    expect((await search("request")).index.embedder).toBeNull();
    live.model.release();
    await first;
    expect((await search("request")).index.embedder).toBe(EMBEDDER);
    await choose("openai/other");
    expect((await search("request again")).index.embedder).toBe(EMBEDDER);
    expect(await refresh()).toMatchObject({ index: { embedder: "openai/other" } });
    expect(embedded("other")).toHaveLength(3);
    await choose("none");
    expect((await search("request")).index.embedder).toBeNull();
    await choose("openai/other");
    expect((await search("request")).index.embedder).toBe("openai/other");
    expect(embedded("other").filter((text) => text.includes("parse_date"))).toHaveLength(1);
  });

  it("wait while the server has too much to do, and lose nothing by answers that are no vectors", async () => {
    await start({
      faults: [
        { kind: "status", status: 429, retryAfter: 0, text: "Guide" },
        { kind: "fewer", text: "Guide" },
        { kind: "cut", text: "Guide" },
        { kind: "null", text: "parse_date", times: "always" },
      ],
    });
    await choose();
    const made = await refresh();
    expect(made).toMatchObject({ index: { embedder: EMBEDDER } });
    expect(made.embedderProblem).toBeUndefined();
    const { results } = await search("parse date");
    expect(results.map(({ path }) => path)).toContain("src/parse.py");
  });

  it("are missing while the model is gone: words are searched, and the index says why", async () => {
    await start({ faults: [{ kind: "status", status: 404, message: "no such model", times: "always" }] });
    await choose("openai/text-embedding-3-small").catch(() => undefined);
    await client.call("settings/set", { edits: [{ key: "embedder", value: "openai/text-embedding-3-small" }] });
    const made = await refresh();
    expect(made.index).toMatchObject({ files: 3, embedder: null });
    expect(made.embedderProblem).toContain("text-embedding-3-small");
    expect(await client.call("index/status", { cwd: live.cwd })).toMatchObject({
      index: { embedderProblem: made.embedderProblem },
    });
    expect((await search("retry limit")).results[0]?.path).toBe("src/retry.ts");
  });

  it("of a question that gets none in time are done without", async () => {
    await start();
    await choose();
    await refresh();
    await live.model.close();
    const { results, index } = await search("retry limit");
    expect(results[0]?.path).toBe("src/retry.ts");
    expect(index.embedder).toBeNull();
  });

  it("are given up by a stop, and the next pass goes on", async () => {
    await start({ faults: [{ kind: "hang", text: "parse_date" }] });
    await choose();
    const stop = new AbortController();
    const refreshing = client
      .call("index/refresh", { cwd: live.cwd }, { signal: stop.signal })
      .catch((error: Error) => error.message);
    await live.model.hanging();
    stop.abort();
    expect(await refreshing).toBe("The request was cancelled.");
    live.model.release();
    expect(await refresh()).toMatchObject({ indexed: 0, index: { embedder: EMBEDDER } });
    expect(await client.call("index/remove", { cwd: live.cwd })).toEqual({ removed: true });
  });
});

describe("an embedder", () => {
  afterEach(() => live.close());

  it("says where the texts would go, and what has to be downloaded", async () => {
    await start();
    const { client: away } = await live.connect(undefined, {
      OPENAI_BASE_URL: "https://api.openai.com/v1",
      OPENAI_API_KEY: "sk-test",
    });
    const describe = (name: string) => away.call("index/describe_embedder", { cwd: live.cwd, name });
    expect(await describe("openai")).toEqual({
      name: "openai/text-embedding-3-small",
      leavesTo: expect.stringContaining("api.openai.com"),
    });
    expect(await describe("builtin")).toEqual({ name: "builtin", installs: { megabytes: 45 } });
    await expect(away.call("index/set_embedder", { cwd: live.cwd, name: "builtin" })).rejects.toThrow("45 MB");
    await expect(describe("nosuch")).rejects.toThrow('There is no embedder "nosuch".');
    await expect(describe("./missing.gguf")).rejects.toThrow("missing.gguf");
    const command = async (args: string) =>
      (await away.call("command/run", { cwd: live.cwd, name: "index", args })).text;
    expect(await command("embedder openai")).toMatch(
      /would go to .*api\.openai\.com.* To agree: \/index embedder openai --yes$/,
    );
    expect(await command("embedder builtin")).toContain("npm would download 45 MB for builtin.");
    const { settings } = await away.call("settings/get", { cwd: live.cwd });
    expect(settings.find(({ key }) => key === "embedder")?.value).toBe("none");
    await away.call("settings/set", { edits: [{ key: "local_only", value: true }] });
    await expect(describe("openai")).rejects.toThrow("local-only");
    rmSync(join(live.cwd, "docs"), { recursive: true });
  });
});

describe("a reranker", () => {
  afterEach(() => live.close());

  const chooseReranker = (name = EMBEDDER) =>
    client.call("index/set_embedder", { cwd: live.cwd, name, role: "reranker" });
  const asked = () => live.model.requests.filter(({ path }) => path.endsWith("/rerank"));

  it("reorders the first results of a search, until none is wanted", async () => {
    await start();
    put("src/limits.ts", "// request again again again\nexport const request = { again: 1 };\n");
    await refresh();
    expect((await search("request again")).reranked).toBeUndefined();
    expect(await chooseReranker()).toEqual({ name: EMBEDDER });
    const { results, reranked } = await search("request again");
    expect(reranked).toEqual({ by: EMBEDDER });
    expect(results.map(({ score }) => score)).toEqual(results.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(asked()[0]?.body).toMatchObject({
      query: "request again",
      documents: expect.arrayContaining([expect.stringMatching(/^src\/limits\.ts\n/)]),
    });
    await search("request again");
    expect(asked()).toHaveLength(1);
    await chooseReranker("none");
    expect((await search("request again")).reranked).toBeUndefined();
  });

  it("that fails costs nothing but its order, and the answer says why", async () => {
    await start({ faults: [{ kind: "status", status: 500, message: "out of memory", times: "always" }] });
    put("src/limits.ts", "export const requestAgain = 1;\n");
    await refresh();
    await chooseReranker();
    const { results, reranked } = await search("request again");
    expect(results.length).toBeGreaterThan(1);
    expect(reranked).toMatchObject({ by: EMBEDDER, problem: expect.stringContaining("out of memory") });
    const { text } = await client.call("command/run", { cwd: live.cwd, name: "search", args: "request again" });
    expect(text).toContain("Not reranked: ");
  });

  it("says where questions and results would go, and stays on the machine if that is wanted", async () => {
    await start();
    const { client: away } = await live.connect(undefined, {
      OPENAI_BASE_URL: "https://api.openai.com/v1",
      OPENAI_API_KEY: "sk-test",
    });
    const { text } = await away.call("command/run", { cwd: live.cwd, name: "index", args: "reranker openai/m" });
    expect(text).toMatch(/^Each question would go to .*api\.openai\.com.* To agree: \/index reranker openai\/m --yes$/);
    await away.call("settings/set", { edits: [{ key: "local_only", value: true }] });
    const named = away.call("index/describe_embedder", { cwd: live.cwd, name: "openai/m", role: "reranker" });
    await expect(named).rejects.toThrow("Choose a reranker on this machine");
  });
});
