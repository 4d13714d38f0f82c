import { endEvent, failedEvent, joinDeltas, startModelServer, talk, turns } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { hurriedClock, realClock } from "../../../test/clocks.ts";
import { createProvider, providerAt } from "../../../test/create-provider.ts";
import { vendorOf } from "../../../test/vendor-of.ts";
import { locate } from "../../vendors/locate.ts";

/** The minutes after which a silent server is given up pass in a moment. */
const hurried = hurriedClock(200);

describe.concurrent.each(["openai", "ollama"] as const)("a server that falls silent, as %s", (flavour) => {
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
    const provider = createProvider(vendor, { baseUrl, key: "test", clock: hurried, random: () => 0 });
    const events = await talk(provider);
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
  let timeoutMs = 150;
  const endpoint = { ...located.endpoint, limits: () => ({ timeoutMs, maxRetries: 0 }) };
  const provider = providerAt(endpoint, { clock: realClock, random: () => 0 });
  expect(failedEvent(await talk(provider)).failure).toMatchObject({ kind: "network" });
  endEvent(await talk(provider));
  timeoutMs = 1_000;
  expect(failedEvent(await talk(provider)).failure.message).toContain("did not answer for 1 s");
  await server.close();
});
