import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { vendorOf } from "../../test/vendor-of.ts";
import { vendors } from "../vendors/vendors.ts";
import { KNOWN_MODELS_DATE, knownModels } from "./known-models.ts";
import { builtInTable, ModelTableFile, normalizeModelName } from "./model-table.ts";

const at = (id: string, usual = true) => ({ vendor: vendorOf(id) ?? { id, local: false }, usual });

describe("the built-in table", () => {
  it.each([
    ["anthropic", "claude-sonnet-4-5-20250929", 200_000, 3],
    ["anthropic", "claude-opus-4-20250514", 200_000, 15],
    ["anthropic", "claude-opus-5-5", 1_000_000, 4],
    ["anthropic", "claude-sonnet-4-6-fast", 1_000_000, undefined],
    ["openai", "gpt-5-mini-2025-08-07", 400_000, 0.25],
    ["openai", "gpt-5-pro", 400_000, undefined],
    ["openai", "gpt-4o-2024-11-20", 128_000, 2.5],
    ["openai", "gpt-4.1-nano", 1_047_576, 0.1],
    ["openai", "o3-pro", 200_000, undefined],
    ["gemini", "gemini-2.5-flash-lite", 1_048_576, 0.1],
    ["gemini", "gemini-3.1-pro-preview", 1_048_576, 2],
    ["openai", "gpt-5.4-mini", 400_000, 0.75],
    ["openai", "gpt-5.4-pro", 1_050_000, undefined],
    ["gemini", "gemini-3-flash-preview", 1_048_576, 0.5],
    ["mistral", "codestral-latest", 256_000, 0.3],
    ["zai", "glm-4.6", 204_800, 0.6],
    ["fireworks", "accounts/fireworks/models/glm-4p6", 204_800, undefined],
    ["openrouter", "anthropic/claude-sonnet-4.6", 1_000_000, undefined],
    ["groq", "openai/gpt-oss-120b", 131_072, undefined],
    ["openai", "gpt-5o", undefined, undefined],
    ["openai", "something", undefined, undefined],
  ])("knows, at %s of %s: %s tokens, %s $", (vendor, model, windowTokens, input) => {
    const facts = builtInTable.facts(at(vendor), model);
    expect([facts.windowTokens, facts.price?.input]).toEqual([windowTokens, input]);
  });

  it("has prices for long prompts", () => {
    const { price } = builtInTable.facts(at("openai"), "gpt-5.5-2026-04-23");
    expect(price).toEqual({
      input: 5,
      output: 30,
      cacheRead: 0.5,
      longPrompt: { overTokens: 272_000, input: 10, output: 45, cacheRead: 1 },
    });
  });

  it("has no price for another address, and no entry for a local server's models", () => {
    expect(builtInTable.facts(at("openai", false), "gpt-4o")).toMatchObject({ windowTokens: 128_000 });
    expect(builtInTable.facts(at("openai", false), "gpt-4o")).not.toHaveProperty("price");
    expect(builtInTable.facts(at("ollama"), "gpt-oss:20b")).toEqual({});
  });

  it("has plausible rows, and no duplicates", () => {
    expect(new Set(knownModels.map(({ match }) => normalizeModelName(match))).size).toBe(knownModels.length);
    const aliases = knownModels.flatMap((row) => row.aliases ?? []);
    expect(new Set(aliases).size).toBe(aliases.length);
    for (const { match, by, windowTokens = 1, outputTokens = 1, price } of knownModels) {
      expect(by === undefined || vendorOf(by), match).toBeTruthy();
      expect(outputTokens, match).toBeLessThanOrEqual(windowTokens);
      expect(price === undefined || (price.input > 0 && price.output >= price.input), match).toBe(true);
      expect((price?.cacheRead ?? 0) <= (price?.input ?? 0), match).toBe(true);
      const { overTokens = 1, input = Infinity, output = Infinity } = price?.longPrompt ?? {};
      expect(overTokens > 0 && overTokens < windowTokens, match).toBe(true);
      expect(input > (price?.input ?? 0) && output > (price?.output ?? 0), match).toBe(true);
    }
    expect(Date.parse(KNOWN_MODELS_DATE)).not.toBeNaN();
  });

  it.each(vendors.filter(({ defaultModel }) => defaultModel !== undefined))(
    "has the default model of $id",
    (vendor) => {
      const facts = builtInTable.facts({ vendor, usual: true }, vendor.defaultModel ?? "");
      expect(facts.windowTokens).toBeGreaterThan(100_000);
    },
  );

  it("has short names and makers", () => {
    expect(builtInTable.named("Sonnet")).toEqual({ model: "claude-sonnet-5-5", by: "anthropic" });
    expect(builtInTable.named("claude-sonnet-5-5")).toBeUndefined();
    expect(builtInTable.makerOf("gpt-9-x")).toBeUndefined();
    expect(builtInTable.makerOf("claude-anything")).toBe("anthropic");
    expect(builtInTable.makerOf("gpt-oss-20b")).toBeUndefined();
  });
});

describe("a models.json file", () => {
  let folder: string;
  let path: string;
  let file: ModelTableFile;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "harness models "));
    path = join(folder, "models.json");
    file = new ModelTableFile(path);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  let written = 1_700_000_000;
  function table(content: unknown) {
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    written += 10;
    utimesSync(path, written, written);
    return file.load();
  }

  it("may be missing, which leaves the built-in table", () => {
    expect(new ModelTableFile(join(folder, "none.json")).load()).toBe(builtInTable);
  });

  it("adds models, and overrides known ones field by field", () => {
    const mine = table({
      models: [
        { match: "my-model", windowTokens: 32_000, price: { input: 0.5, output: 1 }, aliases: ["mine"] },
        { match: "claude-sonnet-5-5", outputTokens: 9_000 },
        { match: "gpt-4o", provider: "openai", price: { input: 1, output: 2 } },
        { match: "qwen3", provider: "ollama", abilities: { tools: false } },
      ],
    });
    expect(mine.problems).toEqual([]);
    expect(mine.facts(at("vllm"), "maker/my-model-7b")).toMatchObject({ windowTokens: 32_000, price: { input: 0.5 } });
    expect(mine.named("mine")).toEqual({ model: "my-model" });
    expect(mine.facts(at("anthropic"), "claude-sonnet-5-5")).toMatchObject({
      windowTokens: 1_000_000,
      outputTokens: 9_000,
      price: { input: 2 },
    });
    expect(mine.facts(at("openai", false), "gpt-4o")).toMatchObject({ price: { input: 1 }, windowTokens: 128_000 });
    expect(mine.facts(at("openrouter"), "openai/gpt-4o")).not.toHaveProperty("price");
    expect(mine.facts(at("ollama"), "qwen3:8b")).toEqual({ abilities: { tools: false } });
  });

  it("may be a bare list", () => {
    expect(table([{ match: "x", windowTokens: 5 }]).facts(at("vllm"), "x").windowTokens).toBe(5);
  });

  it("is read again when it has changed", () => {
    expect(table([{ match: "x", windowTokens: 5 }]).facts(at("vllm"), "x").windowTokens).toBe(5);
    expect(file.load()).toBe(file.load());
    expect(table([{ match: "x", windowTokens: 6 }]).facts(at("vllm"), "x").windowTokens).toBe(6);
  });

  it.each<[string, unknown, string]>([
    ["no JSON", "{", "could not be read"],
    ["something else", { model: [] }, 'write {"models":'],
    ["nothing", "null", 'write {"models":'],
    ["a row without a name", [{ windowTokens: 5 }], "model 1 was left out: match"],
    ["an unknown field", [{ match: "a", window: 5 }], "model 1 was left out"],
    ["a price that is none", [{ match: "a", price: { input: -1, output: 1 } }], "a price cannot be below 0"],
    [
      "a price of long prompts that is none",
      [{ match: "a", price: { input: 1, output: 1, longPrompt: { overTokens: 5, input: -1, output: 1 } } }],
      "a price cannot be below 0",
    ],
    ["a window that is none", [{ match: "a", windowTokens: 0 }], "tokens must be above 0"],
  ])("is reported when it has %s, and the rest works", (_name, content, words) => {
    const rows = Array.isArray(content) ? [...content, { match: "good", windowTokens: 7 }] : content;
    const read = table(rows);
    expect(read.problems).toEqual([expect.stringContaining(words)]);
    expect(read.problems[0]).toContain(path);
    expect(read.facts(at("openai"), "gpt-4o").windowTokens).toBe(128_000);
    if (Array.isArray(content)) expect(read.facts(at("vllm"), "good").windowTokens).toBe(7);
  });
});
