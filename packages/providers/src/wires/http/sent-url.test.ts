import { joinDeltas, talk } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../../test/clocks.ts";
import { createProvider } from "../../../test/create-provider.ts";
import { type StrictServer, says, strictServer } from "../../../test/strict-server.ts";
import { vendorOf } from "../../../test/vendor-of.ts";
import { ModelLists } from "../../catalogues/model-lists.ts";
import { locate } from "../../vendors/locate.ts";
import { sentUrl } from "./sent-url.ts";

let server: StrictServer | undefined;
afterEach(() => server?.close());

describe("the query of an address", () => {
  it.each([
    ["http://x/v1/models", undefined, "http://x/v1/models"],
    ["http://x/v1/models", "?api-version=1", "http://x/v1/models?api-version=1"],
    ["http://x/v1/models?limit=1000", "?api-version=1", "http://x/v1/models?limit=1000&api-version=1"],
    ["http://x/v1/models?a=1", "?a=1", "http://x/v1/models?a=1"],
  ])("is sent with %s: %s", (address, query, expected) => {
    expect(sentUrl(address, query === undefined ? {} : { query }).href).toBe(expected);
  });

  it("is sent with requests and with questions about the server", async () => {
    server = await strictServer(() => says("ok"));
    const vendor = vendorOf("openai");
    if (!vendor) throw new Error("no vendor");
    const clock = new ManualClock();
    const baseUrl = `${server.url}/chat/completions?api-version=2026`;
    const provider = createProvider(vendor, { baseUrl, key: "k", clock, random: () => 0 });
    expect(joinDeltas(await talk(provider), "text")).toBe("ok");
    const located = locate(vendor, { baseUrl, key: "k" });
    if (!located.ok) throw new Error(located.problem);
    await new ModelLists(clock).reportOfChosen(located.endpoint);
    expect(server.paths).toContain("/v1/chat/completions?api-version=2026");
    expect(server.paths).toContain("/v1/models?api-version=2026");
    expect(server.paths.every((path) => path.endsWith("?api-version=2026"))).toBe(true);
  });
});
