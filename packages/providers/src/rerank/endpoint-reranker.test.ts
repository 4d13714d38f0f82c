import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { realClock } from "../../test/clocks.ts";
import { ProviderMemory } from "../choice/provider-memory.ts";
import { resolveReranker } from "../choice/resolve-reranker.ts";
import { asRecord } from "../json/lenient-json.ts";

type RerankCall = { path: string; body: Record<string, unknown>; key: string | undefined };
type Answer = { status?: number; body: unknown };

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serverOf(answer: (asked: RerankCall) => Answer) {
  const asked: RerankCall[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = asRecord(JSON.parse(Buffer.concat(pieces).toString("utf8")));
    const one = { path: request.url ?? "", body, key: request.headers.authorization };
    asked.push(one);
    const { status = 200, body: sent } = answer(one);
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(typeof sent === "string" ? sent : JSON.stringify(sent));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function rerankerAt(url: string, key?: string) {
  const found = await resolveReranker({
    name: "llamacpp/bge-reranker",
    env: { LLAMACPP_URL: url, ...(key !== undefined && { LLAMA_API_KEY: key }) },
    clock: realClock,
    memory: new ProviderMemory(realClock),
  });
  if (!found.ok) throw new Error(found.problem);
  return found.reranker;
}

const { signal } = new AbortController();
const texts = ["green tea", "retry limit"];
const scores = [
  { index: 1, relevance_score: 8.5 },
  { index: 0, relevance_score: -5.25 },
];

describe("a reranker of a server", () => {
  it.each<[string, unknown]>([
    ["Jina, llama.cpp and vLLM", { model: "m", results: scores }],
    ["Voyage", { data: scores }],
    ["text-embeddings-inference", scores.map(({ index, relevance_score: score }) => ({ index, score }))],
  ])("reads the answer of %s in the order of the texts", async (_, body) => {
    const { asked, url } = await serverOf(() => ({ body }));
    const reranker = await rerankerAt(url, "secret");
    expect(await reranker.score("where are retries limited?", texts, signal)).toEqual({ scores: [-5.25, 8.5] });
    expect(asked).toEqual([
      {
        path: "/v1/rerank",
        key: "Bearer secret",
        body: { model: "bge-reranker", query: "where are retries limited?", documents: texts, top_n: 2 },
      },
    ]);
    expect(reranker).toMatchObject({ name: "llamacpp/bge-reranker" });
    expect(reranker.leavesTo).toBeUndefined();
  });

  it("asks in the form of text-embeddings-inference where there is no other, and remembers it", async () => {
    const { asked, url } = await serverOf(({ path }) =>
      path === "/rerank"
        ? {
            body: [
              { index: 0, score: 0.1 },
              { index: 1, score: 0.9 },
            ],
          }
        : { status: 404, body: "" },
    );
    const reranker = await rerankerAt(url);
    expect(await reranker.score("retries", texts, signal)).toEqual({ scores: [0.1, 0.9] });
    expect(await reranker.score("tea", texts, signal)).toEqual({ scores: [0.1, 0.9] });
    expect(asked.map(({ path }) => path)).toEqual(["/v1/rerank", "/rerank", "/rerank"]);
    expect(asked.at(-1)?.body).toEqual({ query: "tea", texts, truncate: true });
  });

  it.each<[string, Answer, RegExp]>([
    [
      "has no such API",
      { status: 404, body: { error: "not found" } },
      /does not rerank with bge-reranker.*--reranking/,
    ],
    ["refuses the key", { status: 401, body: { error: { message: "bad key secret" } } }, /llama\.cpp/],
    ["leaves a text out", { body: { results: scores.slice(1) } }, /without a score for each text/],
    ["sends no numbers", { body: { results: [{ index: 0 }, { index: 1 }] } }, /without a score for each text/],
    ["cuts its answer", { body: '{"results":[{"index":0' }, /incomplete JSON/],
  ])("says in a sentence that the server %s", async (_, answer, words) => {
    const { url } = await serverOf(() => answer);
    const scored = await (await rerankerAt(url, "secret")).score("retries", texts, signal);
    expect("problem" in scored && scored.problem).toMatch(words);
    expect(JSON.stringify(scored)).not.toContain("secret");
  });

  it("is not there where nothing reranks", async () => {
    const memory = new ProviderMemory(realClock);
    const ask = (name: string) => resolveReranker({ name, env: {}, clock: realClock, memory });
    expect(await ask("nosuch/m")).toMatchObject({ ok: false, problem: expect.stringContaining('"nosuch"') });
    expect(await ask("nosuch")).toMatchObject({ ok: false, problem: expect.stringContaining("PROVIDER/MODEL") });
    expect(await ask("ollama/m")).toMatchObject({ ok: false, problem: expect.stringContaining("does not rerank") });
    expect(await ask("llamacpp")).toMatchObject({ ok: false, problem: expect.stringContaining("llamacpp/MODEL") });
  });
});
