import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { addressSettings } from "@harness/protocol";
import { type Flavour, startModelServer } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { ManualClock, realClock } from "../../test/clocks.ts";
import { findServer } from "../../test/resolver.ts";
import { vendors } from "../vendors/vendors.ts";

const sources = { env: {}, clock: realClock };

describe("the server at an address that a person typed", () => {
  it.each<[Flavour, string, string | undefined]>([
    ["ollama", "ollama", "ollama_url"],
    ["llamacpp", "llamacpp", "llamacpp_url"],
    ["lmstudio", "lmstudio", "lmstudio_url"],
    ["vllm", "vllm", "vllm_url"],
    ["openai", "openai", "openai_base_url"],
  ])("of kind %s is found as %s and kept in %s", async (flavour, provider, setting) => {
    const models = [{ id: "cold" }, { id: "warm", loaded: true }];
    const server = await startModelServer({ flavour, scenario: { models } });
    for (const address of [server.url, server.baseUrl || server.url, server.url.replace("http://", " ")]) {
      const answer = await findServer(address, sources);
      expect(answer).toMatchObject({ ok: true, server: { provider, setting } });
      const found = answer.ok ? [...answer.server.models].sort() : [];
      expect(found).toEqual(["cold", "warm"]);
    }
    await server.close();
  });

  it("offers first what it has in memory", async () => {
    const models = [{ id: "cold" }, { id: "warm", loaded: true }];
    const server = await startModelServer({ flavour: "ollama", scenario: { models } });
    expect(await findServer(server.url, sources)).toMatchObject({ server: { models: ["warm", "cold"] } });
    await server.close();
  });

  it("is sent no key that was given for the vendor's own address", async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401, { "content-type": "application/json" }).end('{"error":{"message":"a key, please"}}');
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answer = await findServer(url, { ...sources, env: { OPENAI_API_KEY: "for-openai" } });
    expect(answer).toMatchObject({ ok: true, server: { provider: "openai", wantsKey: true, address: `${url}/v1` } });
    expect(new Set(seen)).toEqual(new Set([undefined]));
    server.close();
  });

  it("is said to refuse where nothing listens, at once and without a vendor's name", async () => {
    const answer = await findServer("http://127.0.0.1:1", { ...sources, clock: new ManualClock() });
    expect(answer).toMatchObject({
      problem: expect.stringMatching(/^The server at http:\/\/127\.0\.0\.1:1\/v1 refuses/),
    });
  });

  it.each(["http://", "not an address", "ftp://x"])("is not looked for under %j", async (address) => {
    expect(await findServer(address, sources)).toMatchObject({
      problem: expect.stringContaining("is not a valid address"),
    });
  });
});

it("each setting of an address has the variable of the vendor that it is for", () => {
  const variables = Object.values(addressSettings).map(({ env }) => env);
  const known = vendors.map(({ baseUrlEnv }) => baseUrlEnv);
  expect(variables.filter((each) => !known.includes(each))).toEqual([]);
  expect(vendors.filter(({ local }) => local).every(({ baseUrlEnv }) => variables.some((v) => v === baseUrlEnv))).toBe(
    true,
  );
});
