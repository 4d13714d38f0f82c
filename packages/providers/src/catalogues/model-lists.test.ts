import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { InstantClock } from "../../test/clocks.ts";
import { vendorOf } from "../../test/vendor-of.ts";
import { locate } from "../vendors/locate.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { anthropicCatalogue } from "./anthropic-catalogue.ts";
import { ModelLists } from "./model-lists.ts";

let server: Server;
let asked: number;
let status: number;
beforeEach(async () => {
  asked = 0;
  status = 200;
  server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(status, { "content-type": "application/json" });
    response.end('{"data":[{"id":"models/gemini-x"}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => server.close());

/** Treated as if it were remote. */
function hosted(id: string, key = "k"): Endpoint {
  const vendor = vendorOf(id);
  const { port } = server.address() as AddressInfo;
  const located = vendor && locate(vendor, { baseUrl: `http://127.0.0.1:${port}/v1`, key });
  if (!located?.ok) throw new Error(id);
  return { ...located.endpoint, near: false };
}

/** Sleeps forever, so that no limit is reached. */
class PatientClock extends InstantClock {
  override sleep(_ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));
  }
}

it("the list of a hosted vendor is requested once in ten minutes for each key", async () => {
  const clock = new PatientClock("2026-01-01T00:00:00Z");
  const lists = new ModelLists(clock);
  const gemini = hosted("gemini");
  expect(lists.atHand(gemini)).toBeUndefined();
  const [first, second] = await Promise.all([lists.report(gemini), lists.report(gemini)]);
  expect(first).toMatchObject({ reachable: true, models: [{ id: "gemini-x" }] });
  expect(second).toBe(first);
  expect(lists.atHand(gemini)).toBe(first);
  clock.pass(9 * 60_000);
  await lists.report(gemini);
  expect(asked).toBe(1);
  await lists.report(hosted("gemini", "another"));
  expect(asked).toBe(2);
  clock.pass(60_000);
  expect(lists.atHand(gemini)).toBeUndefined();
  await lists.report(gemini);
  expect(asked).toBe(3);
});

it("a failed list is not cached, and a local server's list is requested each time", async () => {
  const clock = new PatientClock("2026-01-01T00:00:00Z");
  const lists = new ModelLists(clock);
  status = 503;
  expect(await lists.report(hosted("gemini"))).toMatchObject({ reachable: false });
  status = 200;
  expect(await lists.report(hosted("gemini"))).toMatchObject({ reachable: true });
  const near = { ...hosted("openai"), near: true };
  await lists.report(near);
  await lists.report(near);
  expect(asked).toBe(4);
});

it("a vendor without a list gets no request", async () => {
  const clock = new PatientClock("2026-01-01T00:00:00Z");
  const lists = new ModelLists(clock);
  expect(await lists.report(hosted("claude"))).toMatchObject({ models: [{ id: "claude-sonnet-5-5" }] });
  expect(asked).toBe(0);
});

it("the pages of Anthropic's list are followed to their end, up to a limit", async () => {
  const pages = [
    {
      data: [
        {
          id: "a",
          max_input_tokens: 1_000_000,
          max_tokens: 128_000,
          capabilities: { image_input: { supported: true }, thinking: { supported: false } },
        },
      ],
      has_more: true,
      last_id: "a&b",
    },
    { data: [{ id: "b" }, {}], has_more: false, last_id: "b" },
  ];
  const paths: string[] = [];
  const models = await anthropicCatalogue.list(async (path) => {
    paths.push(path);
    return pages[paths.length - 1];
  });
  expect(paths).toEqual(["/v1/models?limit=1000", "/v1/models?limit=1000&after_id=a%26b"]);
  expect(models).toEqual([
    { id: "a", contextWindow: 1_000_000, outputTokens: 128_000, abilities: { images: true, thinking: false } },
    { id: "b" },
  ]);
  let endless = 0;
  await anthropicCatalogue.list(async () => {
    endless += 1;
    return { data: [{ id: `m${endless}` }], has_more: true, last_id: "x" };
  });
  expect(endless).toBe(20);
});
