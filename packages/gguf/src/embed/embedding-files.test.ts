import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeRandomGguf } from "../../test/random-gguf.ts";
import { demandRuntime, testEmbedder, testRuntime } from "../../test/running-models.ts";
import { ModelFiles } from "../model-files.ts";
import { sentenceFiles } from "../runtime/sentence-recipe.ts";
import type { EmbeddingProcess } from "./embedding-process.ts";
import { writeSentenceGguf } from "./sentence-gguf.ts";

// The real model, in both engines that can run it.

const base = mkdtempSync(join(tmpdir(), "harness embed "));
const files = new ModelFiles({ root: base, home: base });
const signal = new AbortController().signal;
const env = { PATH: process.env.PATH, HARNESS_EMBEDDER_RUNTIME: testEmbedder };
const withLlama = { ...env, HARNESS_GGUF_RUNTIME: testRuntime };
const path = join(base, "sentences.gguf");

beforeAll(async () => {
  await demandRuntime();
  await writeSentenceGguf(sentenceFiles(testEmbedder), path);
});
afterAll(() => {
  files.close();
  rmSync(base, { recursive: true, force: true });
});

async function vectorsOf(embedder: EmbeddingProcess, texts: string[]): Promise<number[][]> {
  const answer = await embedder.embed(texts, signal);
  if (!answer.ok) throw new Error(answer.message);
  return answer.vectors.map((text) => {
    const bytes = Buffer.from(text, "base64");
    const vector = Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
    const length = Math.hypot(...vector);
    return vector.map((each) => each / length);
  });
}
const cosine = (a: number[] = [], b: number[] = []) => a.reduce((sum, each, at) => sum + each * (b[at] ?? 0), 0);

const open = {
  file: () => files.embeddings.file(path, { cwd: base, home: base }, { env: withLlama }),
  "builtin in its own engine": () => files.embeddings.builtin({ env }),
  "builtin in llama.cpp": () => files.embeddings.builtin({ env: withLlama }),
};

describe.each(Object.keys(open) as (keyof typeof open)[])("the embedder %s", (name) => {
  it("finds the code that a question means", { timeout: 60_000 }, async () => {
    const embedder = await open[name]();
    if ("problem" in embedder) throw new Error(embedder.problem);
    expect(embedder).toMatchObject({ dimensions: 384 });
    const [question, right, wrong] = await vectorsOf(embedder, [
      "how are settings read",
      "function parseConfig(path) // reads the settings file and returns its values",
      "class HttpServer listens on a port",
    ]);
    expect(question).toHaveLength(384);
    expect(cosine(question, right)).toBeGreaterThan(cosine(question, wrong) + 0.2);
    const [long] = await vectorsOf(embedder, ["settings ".repeat(5_000)]);
    expect(long).toHaveLength(384);
  });
});

describe("an embedding model", () => {
  it("has the same vectors in both engines", { timeout: 60_000 }, async () => {
    const [own, fast] = [await open["builtin in its own engine"](), await open.file()];
    if ("problem" in own || "problem" in fast) throw new Error("not there");
    const texts = ["export const MAX_RETRIES = 4;", "Grüße, 世界 — naïve café"];
    const [a, b] = [await vectorsOf(own, texts), await vectorsOf(fast, texts)];
    for (const [at] of texts.entries()) expect(cosine(a[at], b[at])).toBeGreaterThan(0.999);
  });

  it("stops with the signal", async () => {
    const embedder = await open.file();
    if ("problem" in embedder) throw new Error(embedder.problem);
    const stop = new AbortController();
    const answer = embedder.embed(["a", "b"], stop.signal);
    stop.abort();
    expect(await answer).toMatchObject({ ok: false, kind: "stopped" });
  });

  it("is missing with a sentence that says what to do", async () => {
    const folders = { cwd: base, home: base };
    const problemOf = async (file: string, variables = withLlama) => {
      const found = await files.embeddings.file(file, folders, { env: variables });
      return "problem" in found ? found.problem : "";
    };
    writeRandomGguf({ path: join(base, "chat.gguf") });
    expect(await problemOf("./chat.gguf")).toContain("makes no vectors of whole texts");
    expect(await problemOf("./gone.gguf")).toContain("is not there");
    expect(await problemOf("unknown")).toContain("No model file was added");
    expect(await problemOf(path, { ...withLlama, HARNESS_GGUF_RUNTIME: base })).toContain("node-llama-cpp");
    const builtin = await files.embeddings.builtin({ env: { HARNESS_EMBEDDER_RUNTIME: base } });
    expect(builtin).toMatchObject({ problem: expect.stringContaining("45 MB") });
  });

  it("that is damaged is reported by the first request", { timeout: 60_000 }, async () => {
    const { readFile } = await import("node:fs/promises");
    const damaged = join(base, "damaged.gguf");
    writeFileSync(damaged, (await readFile(path)).subarray(0, 2_000_000));
    const embedder = await files.embeddings.file(damaged, { cwd: base, home: base }, { env: withLlama });
    if ("problem" in embedder) throw new Error(embedder.problem);
    expect(await embedder.embed(["a"], signal)).toMatchObject({ ok: false, kind: "gone" });
  });
});
