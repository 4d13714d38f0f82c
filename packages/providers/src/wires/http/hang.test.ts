import { endOf, joined, startModelServer, talk, turns } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { hurriedClock } from "../../../test/clocks.ts";
import { createProvider } from "../../../test/create-provider.ts";
import { vendorOf } from "../../../test/vendor-of.ts";

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
    expect(joined(events, "text")).toBe(said);
    expect(endOf(events)).toMatchObject({ stop: "end", parts: [{ type: "text", text: said }] });
    await server.close();
  });
});
