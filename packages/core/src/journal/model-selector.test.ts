import type { ModelChoice } from "@harness/core";
import { ScriptedProvider } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { ModelSelector } from "./model-selector.ts";

const provider = new ScriptedProvider([]);
const choice = (
  tokens: number,
  source: ModelChoice["contextWindow"]["source"] = "server",
  model = "m",
): ModelChoice => ({
  provider,
  model,
  contextWindow: { tokens, source },
});

async function windows(...choices: ModelChoice[]): Promise<number[]> {
  const left = [...choices];
  const selector = new ModelSelector(
    async () => left.shift() ?? { problem: "over" },
    () => ({}),
  );
  const seen: number[] = [];
  for (let n = 0; n < choices.length; n += 1) {
    const chosen = await selector.choose({ fresh: true });
    if (!("problem" in chosen)) seen.push(chosen.contextWindow.tokens);
  }
  return seen;
}

describe("the context window of a session's model", () => {
  it.each<[string, ModelChoice[], number[]]>([
    ["stays when the server would have more", [choice(16_384), choice(30_000)], [16_384, 16_384]],
    [
      "shrinks with the server's, and stays so",
      [choice(16_384), choice(8_192), choice(16_384)],
      [16_384, 8_192, 8_192],
    ],
    ["grows where the person says so", [choice(8_192), choice(32_768, "setting")], [8_192, 32_768]],
    [
      "is the server's again when the person no longer says so",
      [choice(8_192, "setting"), choice(32_768)],
      [8_192, 32_768],
    ],
    ["grows where it was only assumed", [choice(8_192, "assumed"), choice(32_768)], [8_192, 32_768]],
    ["stays when the server does not answer for once", [choice(16_384), choice(8_192, "assumed")], [16_384, 16_384]],
    [
      "is each model's own",
      [choice(8_192), choice(64_000, "table", "other"), choice(16_384), choice(128_000, "table", "other")],
      [8_192, 64_000, 8_192, 64_000],
    ],
  ])("the context window of a session's model: %s", async (_name, choices, tokens) => {
    expect(await windows(...choices)).toEqual(tokens);
  });

  it("the context window of a session's model does not hide a price that is learned later", async () => {
    const later = choice(16_384);
    const selector = new ModelSelector(
      async () => (selector.current ? later : choice(8_192)),
      () => ({}),
    );
    await selector.choose({ fresh: true });
    const chosen = await selector.choose({ fresh: true });
    later.price = { input: 1, output: 2 };
    expect(chosen).toMatchObject({ contextWindow: { tokens: 8_192 }, price: { input: 1 } });
  });
});

describe("fallback models", () => {
  /** Models whose names begin with `no` cannot be used. */
  function selector(config: { provider: string; model: string } = { provider: "p", model: "first" }) {
    const choose = async ({ model = "" }) =>
      model.startsWith("no") ? { problem: `${model} is off` } : choice(8_192, "server", model);
    return new ModelSelector(choose, () => config);
  }
  const model = async (models: ModelSelector, fresh = false) => {
    const chosen = await models.choose({ fresh });
    return "problem" in chosen ? chosen.problem : chosen.model;
  };
  const failed = (name: string) => choice(8_192, "server", name);

  it("come in their order, until the next message", async () => {
    const models = selector();
    const names = ["second", "third"];
    expect(await model(models, true)).toBe("first");
    expect(await models.fallBack(failed("first"), names)).toMatchObject({ choice: { model: "second" }, isNew: true });
    expect(await model(models)).toBe("second");
    expect(await models.fallBack(failed("second"), names)).toMatchObject({ choice: { model: "third" } });
    expect(await models.fallBack(failed("third"), names)).toEqual({ isNew: false, unusable: [] });
    expect(await model(models)).toBe("third");
    expect(await model(models, true)).toBe("first");
    expect(await models.fallBack(failed("first"), names)).toMatchObject({ choice: { model: "second" } });
  });

  it("are not the one that has failed, nor one that cannot be used", async () => {
    const models = selector();
    await model(models, true);
    expect(await models.fallBack(failed("first"), ["first", "nothing", "third"])).toMatchObject({
      choice: { model: "third" },
      unusable: ["nothing: nothing is off"],
    });
  });

  it("are not one whose server is not running", async () => {
    const models = new ModelSelector(
      async ({ model = "" }) => ({
        ...choice(8_192, "server", model),
        ...(model === "away" && { away: "It is off." }),
      }),
      () => ({ provider: "p", model: "first" }),
    );
    await model(models, true);
    expect(await models.fallBack(failed("first"), ["away", "third"])).toMatchObject({
      choice: { model: "third" },
      unusable: ["away: It is off."],
    });
  });

  it("may all be unusable", async () => {
    const models = selector();
    await model(models, true);
    const fallen = { isNew: false, unusable: ["none: none is off"] };
    expect(await models.fallBack(failed("first"), ["none"])).toEqual(fallen);
    expect(await model(models)).toBe("first");
  });

  it("are the same one for agents that fail side by side", async () => {
    const models = selector();
    await model(models, true);
    const names = ["second", "third"];
    const both = await Promise.all([models.fallBack(failed("first"), names), models.fallBack(failed("first"), names)]);
    expect(both).toMatchObject([
      { choice: { model: "second" }, isNew: true },
      { choice: { model: "second" }, isNew: false },
    ]);
  });

  it("give way at once to a model that the person chooses meanwhile", async () => {
    const config = { provider: "p", model: "first" };
    const models = selector(config);
    await model(models, true);
    await models.fallBack(failed("first"), ["second"]);
    expect(await model(models)).toBe("second");
    config.model = "chosen";
    expect(await model(models)).toBe("chosen");
    expect(await models.fallBack(failed("chosen"), ["second"])).toMatchObject({ choice: { model: "second" } });
  });
});
