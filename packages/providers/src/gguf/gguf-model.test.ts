import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { realClock } from "../../test/clocks.ts";
import { writeRandomGguf } from "../../test/gguf/random-gguf.ts";
import type { ModelAsk } from "../choice/model-ask.ts";
import { chooseGguf, ggufHealth, listGguf } from "./choose-gguf.ts";
import { type GgufPlaces, ggufModel, looksLikeGguf, windowOf } from "./gguf-model.ts";
import { keepAliveMs } from "./keep-alive.ts";
import { ModelShelf } from "./model-shelf.ts";

let base: string;
let places: GgufPlaces;
let shelf: ModelShelf;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "harness models "));
  places = { cwd: join(base, "work"), home: join(base, "home"), root: join(base, "root") };
  for (const folder of [places.cwd, places.home]) mkdirSync(folder);
  writeRandomGguf({ path: join(places.cwd, "Tiny-Q4.gguf"), contextTokens: 4096 });
  writeRandomGguf({ path: join(places.home, "two words-00001-of-00003.GGUF"), contextTokens: 4096 });
  shelf = new ModelShelf(places.root);
});
afterEach(() => rmSync(base, { recursive: true }));

const ask = (more: Partial<ModelAsk>): ModelAsk => ({ env: {}, clock: realClock, ...more });

describe("the name of a model file", () => {
  it.each([
    ["./Tiny-Q4.gguf", true],
    ["Tiny-Q4.gguf", true],
    ["/models/x.GGUF", true],
    ["~/x.gguf", true],
    ["hf.co/bartowski/x.gguf:Q4", false],
    ["qwen3:8b.gguf", false],
    ["llama3", false],
  ])("%s: %s", (text, isOne) => expect(looksLikeGguf(text)).toBe(isOne));

  it("is a path from the working folder, from home or from the root, or what it was added as", async () => {
    const path = join(places.cwd, "Tiny-Q4.gguf");
    for (const text of ["./Tiny-Q4.gguf", "Tiny-Q4.gguf", "../work/Tiny-Q4.gguf", path]) {
      expect(await ggufModel(text, places), text).toMatchObject({ ok: true, model: { id: path, path } });
    }
    expect(await ggufModel("~/two words-00001-of-00003.GGUF", places)).toMatchObject({ ok: true });
    await shelf.add(path, "tiny");
    expect(await ggufModel("tiny", { ...places, cwd: "/" })).toMatchObject({ ok: true, model: { id: "tiny", path } });
    expect(await ggufModel("llama3", places)).toBeUndefined();
    expect(await ggufModel("./no.gguf", places)).toEqual({
      ok: false,
      problem: `${join(places.cwd, "no.gguf")} is not there.`,
    });
  });
});

describe("the window of a model file", () => {
  const gigabyte = 2 ** 30;
  const header = { architecture: "llama", hasChatTemplate: true, fileBytes: 4 * gigabyte, trainedTokens: 32_768 };
  const qwen = { ...header, bytesPerToken: 147_456 };

  it.each([
    ["what suits most", undefined, 64, 8_192, "server", undefined],
    ["what was set", 20_000, 64, 20_000, "setting", undefined],
    ["what it was made for", 100_000, 64, 32_768, "server", "the model was made for no more than"],
    ["what the memory holds", 30_000, 6, 9_984, "server", "the memory that is free holds no more than"],
    ["the least where nothing fits", undefined, 1, 512, "server", undefined],
  ])("is %s", (_, limit, free, tokens, source, why) => {
    const answer = windowOf(qwen, limit, free * gigabyte);
    expect(answer.window).toEqual({ tokens, source });
    expect(answer.warning).toBe(
      why && `A window of ${tokens} tokens is used, and not the ${limit} of context_limit: ${why} that.`,
    );
  });

  it("is not cut where nobody knows what a token takes", () => {
    expect(windowOf(header, undefined, gigabyte).window.tokens).toBe(8_192);
    expect(windowOf({ ...header, trainedTokens: 2_048 }, undefined, gigabyte).window.tokens).toBe(2_048);
  });
});

describe("ModelShelf", () => {
  const path = () => join(places.cwd, "Tiny-Q4.gguf");
  const file = () => join(places.root, "models.d/gguf.json");

  it("keeps names for files, for this user alone, and forgets them again", async () => {
    expect(await shelf.list()).toEqual({ models: [] });
    expect(await shelf.add(path())).toMatchObject({ ok: true, model: { name: "Tiny-Q4", path: path() } });
    const other = join(places.home, "two words-00001-of-00003.GGUF");
    expect(await shelf.add(other)).toMatchObject({ ok: true, model: { name: "two-words" } });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(await shelf.add(other, "Tiny-Q4")).toMatchObject({ ok: true });
    const models = [
      { name: "two-words", path: other },
      { name: "Tiny-Q4", path: other },
    ];
    expect(await new ModelShelf(places.root).list()).toEqual({ models });
    expect(await shelf.remove("two-words")).toEqual({ removed: true });
    expect(await shelf.remove("two-words")).toEqual({ removed: false });
    expect(existsSync(other)).toBe(true);
  });

  it("adds side by side without losing one", async () => {
    await Promise.all(["a", "b", "c", "d"].map((name) => shelf.add(path(), name)));
    expect((await shelf.list()).models.map(({ name }) => name).sort()).toEqual(["a", "b", "c", "d"]);
  });

  it("refuses what is no model, and what is no name", async () => {
    const text = join(places.cwd, "text.gguf");
    writeFileSync(text, "no model at all");
    expect(await shelf.add(text)).toEqual({ ok: false, problem: `${text} is no GGUF file.` });
    for (const name of ["", "a b", "../x", "a/b", "-x", "x".repeat(81)]) {
      expect(await shelf.add(path(), name), name).toMatchObject({ ok: false, problem: /cannot be a model's name/ });
    }
    expect(existsSync(file())).toBe(false);
  });

  it("tells of a file that is damaged, and leaves it as it is", async () => {
    mkdirSync(join(places.root, "models.d"), { recursive: true });
    writeFileSync(file(), "{ broken");
    const why = "it is damaged (delete it, and add the models again).";
    expect(await shelf.list()).toEqual({ models: [], problem: `${file()} cannot be read: ${why}` });
    expect(await shelf.add(path())).toEqual({ ok: false, problem: `${file()} cannot be changed: ${why}` });
    expect(readFileSync(file(), "utf8")).toBe("{ broken");
  });

  it("says when it cannot write", async () => {
    writeFileSync(places.root, "a file in the way");
    expect(await shelf.add(path())).toMatchObject({ ok: false, problem: /cannot be changed: / });
    rmSync(places.root);
    chmodSync(base, 0o700);
  });
});

describe("chooseGguf", () => {
  it("takes a path whatever provider is set, and a name where none is or ours", async () => {
    const path = join(places.cwd, "Tiny-Q4.gguf");
    await shelf.add(path, "tiny");
    const id = async (more: Partial<ModelAsk>) => {
      const choice = await chooseGguf(ask(more), places);
      return choice && ("problem" in choice ? choice.problem : choice.model);
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
    expect(await chooseGguf(ask({ model: "./gone.gguf" }), places)).toMatchObject({ advice: [] });
  });

  it("knows the window, the price and the address", async () => {
    const choice = await chooseGguf(ask({ model: "./Tiny-Q4.gguf", contextLimit: 9_000, effort: "low" }), places);
    expect(choice).toMatchObject({
      window: { tokens: 4096, source: "server" },
      // The runtime is missing here, too, and the choice holds nevertheless.
      warning: expect.stringMatching(/the model was made for no more than that\. Model files need node-llama-cpp/),
      price: { input: 0, output: 0 },
      toolMode: "native",
      effort: "low",
      vendor: { id: "gguf", local: true, address: join(places.cwd, "Tiny-Q4.gguf") },
    });
  });

  it("lists what was added, also without a runtime, and what became of the files", async () => {
    const none = "None was added yet: harness model add <file.gguf>, or --model ./file.gguf.";
    expect(await chooseGguf(ask({ provider: "gguf" }), places)).toMatchObject({ problem: none });
    await shelf.add(join(places.cwd, "Tiny-Q4.gguf"), "tiny");
    const gone = join(places.home, "two words-00001-of-00003.GGUF");
    await shelf.add(gone, "gone");
    rmSync(gone);
    const tiny = { provider: "gguf", model: "tiny", windowTokens: 4096, loaded: false };
    expect(await listGguf(places.root)).toMatchObject({ models: [tiny], problems: [`gone: ${gone} is not there.`] });
    expect(await ggufHealth(places.root, {})).toMatchObject({ ready: false, detail: /harness model add/ });
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
])("keepAliveMs: %s", (setting, ms) => expect(keepAliveMs(setting)).toBe(ms));
