import type { ModelEvent } from "@harness/core";
import {
  endEvent,
  failedEvent,
  type ModelServer,
  type ScenarioInput,
  sampleRequest,
  startModelServer,
  talk,
  turns,
} from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../test/clocks.ts";
import { resolveModel } from "../../test/resolver.ts";
import type { ResolvedModel } from "../choice/model-question.ts";

let server: ModelServer | undefined;
afterEach(() => server?.close());

type Model = NonNullable<ScenarioInput["models"]>[number];

/** Chooses a model that an LM Studio has, but has not loaded. */
async function unloaded(model: Partial<Model> = {}, more: Partial<ScenarioInput> & { contextLimit?: number } = {}) {
  const { contextLimit, ...scenario } = more;
  const models = [{ id: "m", loaded: false, contextTokens: 16_384, ...model }];
  server = await startModelServer({
    flavour: "lmstudio",
    scenario: { models, turns: [turns.say("Here.", { repeat: "always" })], ...scenario },
  });
  const env = { LMSTUDIO_URL: server.url };
  const clock = new ManualClock();
  const choice = await resolveModel({ provider: "lmstudio", model: "m", env, clock, contextLimit });
  if ("problem" in choice) throw new Error(choice.problem);
  return { choice, server, clock };
}

const loads = ({ requests }: ModelServer) => requests.filter(({ path }) => path === "/api/v1/models/load");
const watch = () => {
  const controller = new AbortController();
  const seen: string[] = [];
  return { controller, seen, watching: { signal: controller.signal, onLoading: () => seen.push("loading") } };
};
const load = async (choice: ResolvedModel) => choice.load?.(watch().watching);

describe("a model that is not in memory", () => {
  it("is loaded, and has the context window that it was loaded with", async () => {
    const { choice, server } = await unloaded();
    const { seen, watching } = watch();
    expect(await choice.load?.(watching)).toEqual({ contextWindow: { tokens: 16_384, source: "server" } });
    expect(seen).toEqual(["loading"]);
    expect(loads(server).map(({ body }) => body)).toEqual([{ model: "m", echo_load_config: true }]);
  });

  it("is loaded with context_limit, and says where that is too much for it", async () => {
    const { choice, server } = await unloaded({ trainedTokens: 12_000 }, { contextLimit: 20_000 });
    expect(await load(choice)).toEqual({
      contextWindow: { tokens: 12_000, source: "server" },
      warning: expect.stringContaining("with a context window of 12000 tokens"),
    });
    expect(loads(server)[0]?.body).toMatchObject({ context_length: 12_000 });
  });

  it("stays as it is once it is loaded", async () => {
    const { choice, server } = await unloaded();
    await load(choice);
    const { seen, watching } = watch();
    expect(await choice.load?.(watching)).toEqual({ contextWindow: { tokens: 16_384, source: "server" } });
    expect([seen, loads(server).length]).toEqual([[], 1]);
  });

  it("is loaded once for all who wait, until the last of them goes", async () => {
    const { choice, server } = await unloaded({ load: { hangs: true } });
    const [one, other] = [watch(), watch()];
    const first = choice.load?.(one.watching).catch(String);
    const second = choice.load?.(other.watching).catch(String);
    const hanging = await server.hanging();
    one.controller.abort("enough");
    expect(await first).toBe("enough");
    expect(hanging.aborted).toBe(false);
    expect([one.seen, other.seen, loads(server).length]).toEqual([["loading"], ["loading"], 1]);
    other.controller.abort("enough");
    expect(await second).toBe("enough");
    await server.idle();
    expect(hanging.aborted).toBe(true);
  });

  it("is said to be too large in the server's words, with what to do", async () => {
    const { choice } = await unloaded({ load: { error: "insufficient system resources" } });
    expect(await load(choice)).toEqual({
      failure: {
        kind: "network",
        message: expect.stringMatching(
          /^LM Studio at \S+ could not load "m"\. `lms ps` shows .+ It says: "insufficient system resources"$/,
        ),
      },
    });
  });

  it("needs no loading at an older server, which loads it for the request", async () => {
    const { choice, server } = await unloaded({}, { loading: { api: false } });
    expect(await load(choice)).toBeUndefined();
    expect(endEvent(await talk(choice.provider)).parts).toEqual([{ type: "text", text: "Here." }]);
    expect(loads(server)).toEqual([]);
  });
});

describe("a request for a model that is not in memory", () => {
  const asked = (choice: ResolvedModel) => talk(choice.provider, sampleRequest({ model: "m" }));

  it("has it loaded first, which is shown as such", async () => {
    const { choice, server } = await unloaded({}, { loading: { onRequest: false } });
    const events = await asked(choice);
    expect(events[0]).toEqual({ type: "status", phase: "loading" });
    expect(endEvent(events).parts).toEqual([{ type: "text", text: "Here." }]);
    await asked(choice);
    expect(loads(server).length).toBe(1);
  });

  it("has it loaded again when the server has dropped it meanwhile", async () => {
    const { choice, server, clock } = await unloaded({}, { loading: { onRequest: false } });
    await asked(choice);
    const unload = { method: "POST", body: JSON.stringify({ instance_id: "m" }) };
    await fetch(`${server.url}/api/v1/models/unload`, unload);
    const events: ModelEvent[] = [];
    for await (const event of choice.provider.stream(sampleRequest({ model: "m" }), new AbortController().signal)) {
      events.push(event);
      // Its wait begins when the next event is requested.
      if (event.type === "retry" || event.type === "status") void clock.pass(3_000);
    }
    expect(endEvent(events).parts).toEqual([{ type: "text", text: "Here." }]);
    expect(loads(server).length).toBe(2);
  });

  it("fails with why it cannot be loaded, and is not tried again", async () => {
    const { choice, server } = await unloaded({ load: { error: "no memory" } });
    expect(failedEvent(await asked(choice)).failure.message).toContain('could not load "m"');
    expect([loads(server).length, server.chatRequests.length]).toEqual([1, 0]);
  });
});
