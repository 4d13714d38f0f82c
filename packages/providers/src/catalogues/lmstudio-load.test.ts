import { describe, expect, it } from "vitest";
import { loadInLmStudio } from "./lmstudio-load.ts";
import { type Ask, ServerRefusalError } from "./server-model.ts";

type Answers = {
  loaded?: number;
  max?: number | undefined;
  list?: unknown;
  load?: (tokens: number | undefined) => unknown;
};

/** The requests to an LM Studio with one model `m`, and the outcome; it loads 4,096 tokens by default. */
async function loading({ loaded, max = 131_072, list, load }: Answers, contextWindow?: number) {
  const asked: string[] = [];
  const instances = loaded === undefined ? [] : [{ id: "m", config: { context_length: loaded, parallel: 4 } }];
  const models = [{ key: "m", max_context_length: max, loaded_instances: instances }];
  const look: Ask = async () => {
    if (list === "gone") throw new Error("gone");
    return list ?? { models };
  };
  const usual = (tokens = 4_096) => ({ instance_id: "m", status: "loaded", load_config: { context_length: tokens } });
  const work: Ask = async (path, body) => {
    const { context_length: tokens, instance_id: instance } = body as Record<string, number | undefined>;
    asked.push([path.split("/").at(-1), tokens ?? instance ?? ""].join(" ").trim());
    return path.endsWith("/unload") ? { instance_id: "m" } : (load ?? usual)(tokens);
  };
  let waits = 0;
  const order = { model: "m", contextWindow, onLoading: () => (waits += 1) };
  const served = await loadInLmStudio({ look, work }, order);
  return { served, asked, waits };
}

const config = (context_length: number) => ({ instance_id: "m", load_config: { context_length } });

describe("LM Studio is asked to load a model", () => {
  it.each<[string, Answers, number | undefined, string[], number | undefined]>([
    ["with what it has set for it", { load: () => config(32_768) }, undefined, ["load"], 32_768],
    ["with what the person set", {}, 20_000, ["load 20000"], 20_000],
    ["with a small one where the person set that", {}, 4_096, ["load 4096"], 4_096],
    ["with no more than the model has", { max: 16_384 }, 40_000, ["load 16384"], 16_384],
    ["with more than a useless default", {}, undefined, ["load", "unload m", "load 8192"], 8_192],
    ["with all that a small model has", { max: 6_000 }, undefined, ["load", "unload m", "load 6000"], 6_000],
    ["once, where it has no more", { max: 4_096 }, undefined, ["load"], 4_096],
    [
      "with little, where there is no memory for more",
      { load: (tokens) => (tokens === undefined ? config(4_096) : { error: "no memory" }) },
      undefined,
      ["load", "unload m", "load 8192", "load"],
      4_096,
    ],
    ["by the older name of the instance", { load: () => ({ model_instance_id: "m" }) }, 9_000, ["load 9000"], 9_000],
  ])("%s", async (_, server, wanted, asked, contextWindow) => {
    const found = await loading(server, wanted);
    expect(found).toMatchObject({ asked, waits: 1, served: { contextWindow } });
  });

  it.each<[string, Answers, object | undefined]>([
    ["is loaded", { loaded: 4_096 }, { contextWindow: 4_096, slots: 4 }],
    ["is not its own", { list: { models: [{ key: "other" }] } }, undefined],
    ["an older version has", { list: { error: "Unexpected endpoint or method." } }, undefined],
    ["a server that is gone had", { list: "gone" }, undefined],
  ])("but not for one that %s", async (_, server, served) => {
    expect(await loading(server)).toEqual({ served, asked: [], waits: 0 });
  });

  it.each<[string, unknown, string]>([
    ["in a sentence", { error: "no memory" }, "no memory"],
    ["in a field", { error: { type: "internal_error", message: "no memory" } }, "no memory"],
    ["not at all", { status: "failed" }, "it did not say why"],
  ])("and is heard when it says why not: %s", async (_, answer, words) => {
    await expect(loading({ load: () => answer })).rejects.toThrow(new ServerRefusalError(words));
  });

  it("in vain where it knows the list, but not the loading", async () => {
    const found = await loading({ load: () => ({ error: "Unexpected endpoint or method. (POST /…)" }) });
    expect(found.served).toBeUndefined();
  });
});
