import type { LoadedModel, LoadingWatch, ModelChoice } from "@harness/core";
import { MemorySession, saying } from "@harness/testkit";
import { expect, it } from "vitest";

type Load = NonNullable<ModelChoice["load"]>;

/** A session whose model `first` is loaded on request while a different model is in memory. */
function session(load: Load, models: string[] = []): MemorySession {
  const memory = new MemorySession({
    script: (_request, n) => saying(`answer ${n}`),
    options: { fallback_models: models },
  });
  const { chooseModel } = memory.ports;
  memory.ports.chooseModel = async (config) => {
    const choice = await chooseModel(config);
    if ("problem" in choice) return choice;
    const contextWindow = { tokens: 8_192, source: "assumed" as const };
    return config.model === "other"
      ? { ...choice, contextWindow, model: "other" }
      : { ...choice, contextWindow, model: "first", load };
  };
  return memory;
}

const windowOf = (tokens: number): LoadedModel => ({ contextWindow: { tokens, source: "server" } });
const failure = { kind: "network", message: "LM Studio could not load it." } as const;
const phases = ({ ports }: MemorySession) =>
  ports.events.all.flatMap((event) =>
    "delta" in event && event.delta.sessionUpdate === "request_status" ? [event.delta.phase] : [],
  );
const sent = ({ provider }: MemorySession) =>
  provider.requests.map(({ model, contextWindow }) => [model, contextWindow]);

it("a model is loaded before a request is made, which is made for the context window that it then has", async () => {
  const memory = session(async ({ onLoading }) => {
    onLoading();
    return windowOf(32_768);
  });
  await memory.say("go");
  expect(sent(memory)).toEqual([["first", 32_768]]);
  expect(phases(memory)).toEqual(["loading", "ended"]);
  expect(memory.session.context()).toMatchObject({ windowTokens: 32_768, windowSource: "server" });
});

it("a model is looked at once a turn, and its context window taken as it is then", async () => {
  const windows = [16_384, 32_768, 12_000];
  const memory = session(async () => windowOf(windows.shift() ?? 0));
  await memory.say("one");
  await memory.say("two");
  await memory.say("three");
  expect(sent(memory).map(([, tokens]) => tokens)).toEqual([16_384, 32_768, 12_000]);
  expect(phases(memory)).toEqual([]);
});

it("a model that is known by a guess keeps it where its server says nothing", async () => {
  const memory = session(async () => undefined);
  await memory.say("go");
  expect(sent(memory)).toEqual([["first", 8_192]]);
});

it("a model that is loaded with less than was asked for is said to be", async () => {
  const memory = session(async () => ({ ...windowOf(9_000), warning: "It has 9000 tokens." }));
  await memory.say("go");
  expect(memory.facts("notice")).toMatchObject([{ description: "It has 9000 tokens." }]);
});

it("a model that cannot be loaded ends the turn with the reason", async () => {
  const memory = session(async ({ onLoading }) => {
    onLoading();
    return { failure };
  });
  await memory.say("go");
  expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "error", error: failure });
  expect([sent(memory), phases(memory)]).toEqual([[], ["loading", "ended"]]);
});

it("a model that cannot be loaded gives way to the next of the fallback models", async () => {
  const memory = session(async () => ({ failure }), ["other"]);
  await memory.say("go");
  expect(sent(memory)).toEqual([["other", 8_192]]);
  expect(memory.facts("notice")).toMatchObject([{ description: failure.message }]);
});

it("a person who stops does not wait for a model that is being loaded", async () => {
  const begun = Promise.withResolvers<LoadingWatch>();
  const memory = session((watch) => {
    watch.onLoading();
    begun.resolve(watch);
    return new Promise((_, reject) =>
      watch.signal.addEventListener("abort", () => reject(watch.signal.reason), { once: true }),
    );
  });
  memory.prompt("go");
  await begun.promise;
  memory.session.cancel();
  await memory.session.idle();
  expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "cancelled" });
  expect([sent(memory), phases(memory)]).toEqual([[], ["loading", "ended"]]);
  expect(memory.states.client).toEqual(memory.states.folded);
});
