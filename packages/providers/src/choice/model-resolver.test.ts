import { ScriptedProvider } from "@harness/testkit";
import { expect, it } from "vitest";
import { InstantClock } from "../../test/clocks.ts";
import type { ResolvedModel, UnresolvedModel } from "./model-question.ts";
import { ModelResolver } from "./model-resolver.ts";

const chosen = (fields: Partial<ResolvedModel> = {}): ResolvedModel => {
  const provider = new ScriptedProvider([]);
  const vendor = { id: "p", name: "P", local: true, address: "" };
  return { provider, plain: provider, model: "m", contextWindow: { tokens: 1, source: "server" }, vendor, ...fields };
};

it.each<[string, ResolvedModel | UnresolvedModel, number]>([
  ["stays the same", chosen(), 1],
  ["that failed is made again soon", { problem: "no", advice: [] }, 2],
  ["of a server that was not running is made again soon: it may run now", chosen({ away: "It is not running." }), 2],
])("a choice %s", async (_, resolution, times) => {
  const clock = new InstantClock("2026-11-21T10:00:00Z");
  const resolver = new ModelResolver({ clock, tablePath: "/nowhere/models.json", onWaiting: () => undefined });
  let made = 0;
  const resolve = async () => {
    made += 1;
    return resolution;
  };
  await resolver.choose("key", resolve);
  await resolver.choose("key", resolve);
  expect(made).toBe(1);
  clock.pass(2_001);
  await resolver.choose("key", resolve);
  expect(made).toBe(times);
});
