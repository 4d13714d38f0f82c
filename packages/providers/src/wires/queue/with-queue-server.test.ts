import { endEvent, startModelServer, talk, turns } from "@harness/testkit";
import { expect, it } from "vitest";
import { realClock } from "../../../test/clocks.ts";
import { vendorOf } from "../../../test/vendor-of.ts";
import { assembleProvider } from "../../choice/assemble-provider.ts";
import { servingOf } from "../../choice/context-windows.ts";
import { ProviderMemory } from "../../choice/provider-memory.ts";
import { locate } from "../../vendors/locate.ts";

it("a server with two slots never gets a third request, and lanes keep their slots", async () => {
  const models = [{ id: "scripted-model", slots: 2 }];
  const server = await startModelServer({
    flavour: "llamacpp",
    scenario: { models, turns: Array.from({ length: 8 }, () => turns.say("one two three", { chunk: { size: 4 } })) },
  });
  const vendor = vendorOf("llamacpp");
  const located = vendor && locate(vendor, { baseUrl: server.baseUrl });
  if (!located?.ok) throw new Error("llamacpp");
  const memory = new ProviderMemory(realClock);
  const { slots } = await servingOf({ endpoint: located.endpoint, model: "scripted-model" }, realClock);
  const ports = { clock: realClock, random: () => 0, env: {}, memory };
  const { provider } = assembleProvider(located.endpoint, { ...ports, slots, toolMode: "native" });
  const lanes = ["a", "b", "a", "b", "a", "b"];
  const all = await Promise.all(lanes.map((lane) => talk(provider, { lane })));
  for (const events of all) expect(endEvent(events).parts).toEqual([{ type: "text", text: "one two three" }]);
  const sent = server.chatRequests.map((record) => record.body as { id_slot?: number });
  expect(Math.max(...server.chatRequests.map((record) => record.inFlight ?? 0))).toBeLessThanOrEqual(2);
  expect(new Set(sent.map((body) => body.id_slot))).toEqual(new Set([0, 1]));
  const said = all.flatMap((events) => events.filter((event) => event.type === "status" && event.phase === "queued"));
  expect(said).toContainEqual({ type: "status", phase: "queued", ahead: 4, slots: 2 });
  await server.close();
});
