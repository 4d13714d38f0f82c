import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeRandomGguf } from "../test/random-gguf.ts";
import { keepAliveMs } from "./engine/keep-alive.ts";
import { contextWindowOf, findModel, looksLikeGguf } from "./find-model.ts";
import { type ModelFileQuery, ModelFiles } from "./model-files.ts";
import { ModelStore } from "./model-store.ts";

let base: string;
let places: { cwd: string; home: string; root: string };
let store: ModelStore;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "harness models "));
  places = { cwd: join(base, "work"), home: join(base, "home"), root: join(base, "root") };
  for (const folder of [places.cwd, places.home]) mkdirSync(folder);
  writeRandomGguf({ path: join(places.cwd, "Tiny-Q4.gguf"), contextTokens: 4096 });
  writeRandomGguf({ path: join(places.home, "two words-00001-of-00003.GGUF"), contextTokens: 4096 });
  store = new ModelStore(places.root);
});
afterEach(() => rmSync(base, { recursive: true }));

const find = (question: Partial<ModelFileQuery>) =>
  new ModelFiles(places).find({ env: {}, cwd: places.cwd, ...question });

describe("the name of a model file", () => {
  it.each([
    ["./Tiny-Q4.gguf", true],
    ["Tiny-Q4.gguf", true],
    ["/models/x.GGUF", true],
    ["~/x.gguf", true],
    ["hf.co/bartowski/x.gguf:Q4", false],
    ["qwen3:8b.gguf", false],
    ["llama3", false],
  ])("resolves %s: %s", (text, isOne) => expect(looksLikeGguf(text)).toBe(isOne));

  it("is a path from the working folder, home or root, or the name that it was added under", async () => {
    const path = join(places.cwd, "Tiny-Q4.gguf");
    for (const text of ["./Tiny-Q4.gguf", "Tiny-Q4.gguf", "../work/Tiny-Q4.gguf", path]) {
      expect(await findModel(text, store, places), text).toMatchObject({ ok: true, model: { id: path, path } });
    }
    expect(await findModel("~/two words-00001-of-00003.GGUF", store, places)).toMatchObject({ ok: true });
    await store.add(path, "tiny");
    expect(await findModel("tiny", store, { ...places, cwd: "/" })).toMatchObject({
      ok: true,
      model: { id: "tiny", path },
    });
    expect(await findModel("llama3", store, places)).toBeUndefined();
    expect(await findModel("./no.gguf", store, places)).toEqual({
      ok: false,
      problem: `${join(places.cwd, "no.gguf")} is not there.`,
    });
  });
});

describe("the context window of a model file", () => {
  const gigabyte = 2 ** 30;
  const header = { architecture: "llama", fileBytes: 4 * gigabyte, trainedTokens: 32_768 };
  const qwen = { ...header, bytesPerToken: 147_456 };

  it.each([
    ["what suits most", undefined, 64, 8_192, "server", undefined],
    ["what was set", 20_000, 64, 20_000, "setting", undefined],
    ["what it was made for", 100_000, 64, 32_768, "server", "the model was made for no more than"],
    ["what the memory holds", 30_000, 6, 9_984, "server", "the memory that is free holds no more than"],
    ["the least where nothing fits", undefined, 1, 512, "server", undefined],
  ])("is %s", (_, limit, free, tokens, source, why) => {
    const answer = contextWindowOf(qwen, limit, free * gigabyte);
    expect(answer.contextWindow).toEqual({ tokens, source });
    expect(answer.warning).toBe(
      why && `A window of ${tokens} tokens is used, and not the ${limit} of context_limit: ${why} that.`,
    );
  });

  it("is not reduced when the memory per token is unknown", () => {
    expect(contextWindowOf(header, undefined, gigabyte).contextWindow.tokens).toBe(8_192);
    expect(contextWindowOf({ ...header, trainedTokens: 2_048 }, undefined, gigabyte).contextWindow.tokens).toBe(2_048);
  });
});

describe("ModelStore", () => {
  const path = () => join(places.cwd, "Tiny-Q4.gguf");
  const file = () => join(places.root, "models.d/gguf.json");

  it("stores names for files, for this user only, and deletes them", async () => {
    expect(await store.list()).toEqual({ models: [] });
    expect(await store.add(path())).toMatchObject({ ok: true, model: { name: "Tiny-Q4", path: path() } });
    const other = join(places.home, "two words-00001-of-00003.GGUF");
    expect(await store.add(other)).toMatchObject({ ok: true, model: { name: "two-words" } });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(await store.add(other, "Tiny-Q4")).toMatchObject({ ok: true });
    const models = [
      { name: "two-words", path: other },
      { name: "Tiny-Q4", path: other },
    ];
    expect(await new ModelStore(places.root).list()).toEqual({ models });
    expect(await store.remove("two-words")).toEqual({ removed: true });
    expect(await store.remove("two-words")).toEqual({ removed: false });
    expect(existsSync(other)).toBe(true);
  });

  it("adds names concurrently without losing one", async () => {
    await Promise.all(["a", "b", "c", "d"].map((name) => store.add(path(), name)));
    expect((await store.list()).models.map(({ name }) => name).sort()).toEqual(["a", "b", "c", "d"]);
  });

  it("refuses files that are not models, and invalid names", async () => {
    const text = join(places.cwd, "text.gguf");
    writeFileSync(text, "no model at all");
    expect(await store.add(text)).toEqual({ ok: false, problem: `${text} is not a GGUF file.` });
    for (const name of ["", "a b", "../x", "a/b", "-x", "x".repeat(81)]) {
      expect(await store.add(path(), name), name).toMatchObject({ ok: false, problem: /cannot be a model's name/ });
    }
    expect(existsSync(file())).toBe(false);
  });

  it("reports a damaged file, and leaves it unchanged", async () => {
    mkdirSync(join(places.root, "models.d"), { recursive: true });
    writeFileSync(file(), "{ broken");
    const why = "it is damaged (delete it, and add the models again).";
    expect(await store.list()).toEqual({ models: [], problem: `${file()} cannot be read: ${why}` });
    expect(await store.add(path())).toEqual({ ok: false, problem: `${file()} cannot be changed: ${why}` });
    expect(readFileSync(file(), "utf8")).toBe("{ broken");
  });

  it("reports that it cannot write", async () => {
    writeFileSync(places.root, "a file in the way");
    expect(await store.add(path())).toMatchObject({ ok: false, problem: /Could not save the added models/ });
    rmSync(places.root);
    chmodSync(base, 0o700);
  });
});

describe("ModelFiles", () => {
  it("accepts a path with any provider, and a name with none or its own", async () => {
    const path = join(places.cwd, "Tiny-Q4.gguf");
    await store.add(path, "tiny");
    const id = async (question: Partial<ModelFileQuery>) => {
      const found = await find(question);
      return found && ("problem" in found ? found.problem : found.id);
    };
    expect(await id({ model: "./Tiny-Q4.gguf", provider: "openai" })).toBe(path);
    expect(await id({ model: "Tiny-Q4.gguf", provider: "llamacpp" })).toBeUndefined();
    expect(await id({ model: "tiny" })).toBe("tiny");
    expect(await id({ model: "tiny", provider: "ollama" })).toBeUndefined();
    expect(await id({ model: "gguf/tiny" })).toBe("tiny");
    expect(await id({ provider: "gguf" })).toBe("tiny");
    expect(await id({ model: "gpt-5" })).toBeUndefined();
    expect(await id({})).toBeUndefined();
    expect(await id({ model: "other", provider: "gguf" })).toBe('No model file was added as "other". There are: tiny.');
    expect(await id({ model: "./gone.gguf" })).toBe(`${join(places.cwd, "gone.gguf")} is not there.`);
  });

  it("knows the context window, the price and the address", async () => {
    const found = await find({ model: "./Tiny-Q4.gguf", contextLimit: 9_000 });
    expect(found).toMatchObject({
      contextWindow: { tokens: 4096, source: "server" },
      // The runtime is missing here, too, and the model is found nevertheless.
      warning: expect.stringMatching(/the model was made for no more than that\. Model files need node-llama-cpp/),
      price: { input: 0, output: 0 },
      vendor: { id: "gguf", local: true, address: join(places.cwd, "Tiny-Q4.gguf") },
    });
  });

  it("lists added files, also without a runtime, and the state of each", async () => {
    const none = "None was added yet: harness model add <file.gguf>, or --model ./file.gguf.";
    expect(await find({ provider: "gguf" })).toMatchObject({ problem: none });
    await store.add(join(places.cwd, "Tiny-Q4.gguf"), "tiny");
    const gone = join(places.home, "two words-00001-of-00003.GGUF");
    await store.add(gone, "gone");
    rmSync(gone);
    const tiny = { provider: "gguf", model: "tiny", windowTokens: 4096, loaded: false };
    expect(await new ModelFiles(places).list()).toMatchObject({
      models: [tiny],
      problems: [`gone: ${gone} is not there.`],
    });
    expect(await new ModelFiles(places).health({})).toMatchObject({ ready: false, detail: /harness model add/ });
  });
});

it.each([
  [undefined, 900_000],
  ["15m", 900_000],
  ["1h30m", 5_400_000],
  ["300", 300_000],
  ["0", 0],
  ["-1", Number.POSITIVE_INFINITY],
  ["soon", 900_000],
])("keepAliveMs reads %s", (setting, ms) => expect(keepAliveMs(setting)).toBe(ms));
