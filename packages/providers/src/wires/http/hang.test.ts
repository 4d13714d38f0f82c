import type { ModelEvent, Provider } from "@harness/core";
import { endEvent, failedEvent, joinDeltas, sampleRequest, startModelServer, talk, turns } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { InstantClock, ManualClock } from "../../../test/clocks.ts";
import { createProvider, providerAt } from "../../../test/create-provider.ts";
import { vendorOf } from "../../../test/vendor-of.ts";
import { locate } from "../../vendors/locate.ts";

/** The events of a reply as they arrive, and its end. */
function hear(provider: Provider) {
  const events: ModelEvent[] = [];
  const ended = (async () => {
    for await (const event of provider.stream(sampleRequest({}), new AbortController().signal)) events.push(event);
  })();
  return { events, ended };
}

/** Passes time until an event of this type: what the server has sent may still be in transit. */
async function silence(clock: ManualClock, events: readonly ModelEvent[], type: ModelEvent["type"]): Promise<void> {
  while (!events.some((event) => event.type === type)) await clock.pass(1_000);
}

describe.each(["openai", "ollama"] as const)("a server that falls silent, as %s", (flavour) => {
  it.each([
    ["before its answer", {}],
    ["in the middle of it", { afterEvents: 3 }],
  ])("is aborted %s, tried again, and answers", async (_name, where) => {
    const said = "All of the answer is here.";
    const turn = { ...turns.say(said, { chunk: { size: 4 } }), fault: { kind: "hang" as const, ...where } };
    const server = await startModelServer({ flavour, scenario: { turns: [turn] } });
    const vendor = vendorOf(flavour);
    if (!vendor) throw new Error(flavour);
    const baseUrl = flavour === "ollama" ? server.url : server.baseUrl;
    const clock = new ManualClock();
    const retryClock = new InstantClock("2026-11-27T12:00:00Z");
    const provider = createProvider(vendor, { baseUrl, key: "test", clock, retryClock, random: () => 0 });
    const { events, ended } = hear(provider);
    await server.hanging();
    await silence(clock, events, "retry");
    await ended;
    expect(events.filter(({ type }) => type === "retry")).toHaveLength(1);
    expect(joinDeltas(events, "text")).toBe(said);
    expect(endEvent(events)).toMatchObject({ stop: "end", parts: [{ type: "text", text: said }] });
    await server.close();
  });
});

it("a silent server is given up after the time that the person set, which may change between two requests", async () => {
  const hang = { ...turns.say("late"), fault: { kind: "hang" as const } };
  const server = await startModelServer({ flavour: "ollama", scenario: { turns: [hang, hang] } });
  const vendor = vendorOf("ollama");
  const located = vendor && locate(vendor, { baseUrl: server.url });
  if (!located?.ok) throw new Error("ollama");
  let timeoutMs = 60_000;
  const endpoint = { ...located.endpoint, limits: () => ({ timeoutMs, maxRetries: 0 }) };
  const clock = new ManualClock();
  const provider = providerAt(endpoint, { clock, random: () => 0 });
  const silenceOf = async () => {
    const { events, ended } = hear(provider);
    await server.hanging();
    const beganMs = clock.now();
    await silence(clock, events, "failed");
    await ended;
    return { failure: failedEvent(events).failure, afterMs: clock.now() - beganMs };
  };
  const first = await silenceOf();
  expect(first.failure).toMatchObject({ kind: "network" });
  expect(first.afterMs).toBeGreaterThanOrEqual(60_000);
  endEvent(await talk(provider));
  timeoutMs = 2_000;
  const second = await silenceOf();
  expect(second.failure.message).toContain("did not answer for 2 s");
  await server.close();
});
