import { describe, expect, it } from "vitest";
import { vendorOf } from "../../test/vendor-of.ts";
import { readConf } from "../vendor-files/conf-vendor.ts";
import type { Vendor } from "../wires/endpoint/vendor.ts";
import { addressed, endpointOf, hasAccess, keyVariables, locate } from "./locate.ts";
import { vendors } from "./vendors.ts";

function vendor(id: string): Vendor {
  const found = vendorOf(id);
  if (!found) throw new Error(id);
  return found;
}

function at(id: string, baseUrl: string) {
  const located = locate(vendor(id), { baseUrl });
  return located.ok ? located.endpoint : undefined;
}

describe("a server on this machine", () => {
  it.each([
    ["openai", "http://127.0.0.1:8080", "Local server"],
    ["anthropic", "localhost:8080", "Local server"],
    ["openai", "http://[::1]:8080", "Local server"],
    ["ollama", ":1234", "Ollama"],
    ["openai", "http://10.0.0.5:8080", "OpenAI"],
    ["openai", "https://gateway.example/v1", "OpenAI"],
  ])("is not the vendor whose API it speaks: %s at %s is %s", (id, address, name) => {
    expect(at(id, address)?.vendor.name).toBe(name);
  });
});

describe("the address of a server", () => {
  it.each([
    ["ollama", "localhost", "http://localhost:11434"],
    ["ollama", "0.0.0.0", "http://127.0.0.1:11434"],
    ["ollama", "0.0.0.0:8080", "http://127.0.0.1:8080"],
    ["ollama", ":1234", "http://127.0.0.1:1234"],
    ["ollama", "box.lan:11435", "http://box.lan:11435"],
    ["ollama", "http://box.lan:11435/", "http://box.lan:11435"],
    ["ollama", "https://box.example/ollama/", "https://box.example/ollama"],
    ["ollama", "[::1]", "http://[::1]:11434"],
    ["ollama", " 10.0.0.5 ", "http://10.0.0.5:11434"],
    ["llamacpp", "http://127.0.0.1:9000", "http://127.0.0.1:9000/v1"],
    ["llamacpp", "http://127.0.0.1:9000/v1/", "http://127.0.0.1:9000/v1"],
    ["openai", "http://127.0.0.1:8000", "http://127.0.0.1:8000/v1"],
    ["openai", "https://gateway.example/api/v4", "https://gateway.example/api/v4"],
    ["openai", "gateway.example/v1", "https://gateway.example/v1"],
    ["openrouter", "http://127.0.0.1:8000", "http://127.0.0.1:8000/api/v1"],
    ["anthropic", "http://127.0.0.1:8000", "http://127.0.0.1:8000/v1"],
    ["anthropic", "https://gateway.example/anthropic/", "https://gateway.example/anthropic/v1"],
    ["anthropic", "https://gateway.example/anthropic/v1", "https://gateway.example/anthropic/v1"],
    ["zai", "https://api.z.ai/api/coding/paas/v4", "https://api.z.ai/api/coding/paas/v4"],
    ["openai", "http://127.0.0.1:8000/v1/chat/completions", "http://127.0.0.1:8000/v1"],
    ["openai", "http://127.0.0.1:8000/v1/chat/completions/", "http://127.0.0.1:8000/v1"],
    ["openai", "http://127.0.0.1:8000/v1//chat/completions?x=1#y", "http://127.0.0.1:8000/v1"],
    ["openai", "http://127.0.0.1:8000/chat/completions", "http://127.0.0.1:8000"],
    ["openai", "https://gateway.example/api/v4/responses", "https://gateway.example/api/v4"],
    ["openai", "https://gateway.example/v1/models", "https://gateway.example/v1"],
    ["openai", "https://gateway.example/completions-proxy", "https://gateway.example/completions-proxy"],
    ["llamacpp", "http://127.0.0.1:8080/v1/chat/completions", "http://127.0.0.1:8080/v1"],
    ["anthropic", "https://gateway.example/anthropic/v1/messages", "https://gateway.example/anthropic/v1"],
    ["anthropic", "https://gateway.example/anthropic/messages", "https://gateway.example/anthropic/v1"],
    ["ollama", "http://box.lan:11434/api/chat", "http://box.lan:11434"],
    ["ollama", "http://box.lan:11434/v1/chat/completions", "http://box.lan:11434"],
    ["ollama", "http://box.lan:11434/v1", "http://box.lan:11434"],
    ["ollama", "https://box.example/ollama/api/", "https://box.example/ollama"],
  ])("given as %s at %s is %s", (id, given, expected) => {
    expect(at(id, given)?.baseUrl).toBe(expected);
  });

  it.each([
    ["http://127.0.0.1:8000/v1?api-version=1", "?api-version=1"],
    ["http://127.0.0.1:8000/v1/chat/completions?api-version=1&b=2#c", "?api-version=1&b=2"],
    ["http://127.0.0.1:8000/v1?", undefined],
    ["http://127.0.0.1:8000/v1", undefined],
  ])("keeps its query: %s", (given, query) => {
    const endpoint = at("openai", given);
    expect(endpoint?.query).toBe(query);
    expect(endpoint?.baseUrl).toBe("http://127.0.0.1:8000/v1");
    expect(endpoint?.shown).toBe("http://127.0.0.1:8000/v1");
    // The row with this address, from which later requests find it.
    const row = addressed(vendor("openai"), { OPENAI_BASE_URL: given });
    const again = locate(row, {});
    expect(again.ok && [again.endpoint.baseUrl, again.endpoint.query]).toEqual([endpoint?.baseUrl, query]);
  });

  it("says which API it is of", () => {
    expect(at("openai", "http://127.0.0.1:8000/v1")?.api).toBe("openai-chat");
    expect(at("openai", "http://127.0.0.1:8000/v1/responses")?.api).toBe("openai-responses");
    expect(at("openai", "http://127.0.0.1:8000/v1/chat/completions")?.api).toBe("openai-chat");
  });

  it.each(["ftp://x", "http://", "http://a b", "file:///etc/passwd", "http://x:99999"])("is refused: %s", (given) => {
    const located = locate(vendor("openai"), { baseUrl: given });
    expect(located).toMatchObject({ ok: false, problem: expect.stringContaining("OPENAI_BASE_URL") });
  });

  it.each([
    ["http://localhost:1", true],
    ["http://127.9.9.9", true],
    ["http://192.168.1.9:8000", true],
    ["http://172.31.0.1", true],
    ["http://172.32.0.1", false],
    ["http://100.64.0.1", true],
    ["http://ollama:11434", true],
    ["http://box.local", true],
    ["http://[::1]:1", true],
    ["http://[fd00::1]:1", true],
    ["http://[2001:db8::1]:1", false],
    ["https://api.openai.com/v1", false],
    ["http://localhost.example", false],
    ["http://10.example.com", false],
  ])("given as %s is local: %s", (given, near) => {
    expect(at("openai", given)?.near).toBe(near);
  });
});

describe("the access to a server", () => {
  it("needs a key only at the vendor's own address", () => {
    const access = (env: Record<string, string>, id = "openai") => {
      const located = endpointOf(vendor(id), env);
      return located.ok && hasAccess(located.endpoint);
    };
    expect(access({})).toBe(false);
    expect(access({ OPENAI_API_KEY: "  " })).toBe(false);
    expect(access({ OPENAI_API_KEY: "x" })).toBe(true);
    expect(access({ OPENAI_BASE_URL: "http://127.0.0.1:8000/v1" })).toBe(true);
    expect(access({ OPENAI_BASE_URL: "https://far.example/v1" })).toBe(false);
    expect(access({}, "ollama")).toBe(true);
  });

  it("shows no password", () => {
    const endpoint = at("openai", "http://me:secret@127.0.0.1:8000/v1");
    expect(endpoint?.baseUrl).toBe("http://me:secret@127.0.0.1:8000/v1");
    expect(endpoint?.shown).toBe("http://127.0.0.1:8000/v1");
    const wrong = locate(vendor("openai"), { baseUrl: "ftp://me:secret@host" });
    expect(JSON.stringify(wrong)).not.toContain("secret");
  });

  it("adds the headers that variables name", () => {
    const located = endpointOf(vendor("openai"), { OPENAI_ORG_ID: "org-1" });
    expect(located).toMatchObject({ ok: true, endpoint: { headers: { "openai-organization": "org-1" } } });
  });
});

it("the table has no two rows for one vendor", () => {
  const names = vendors.flatMap(({ id, aliases = [] }) => [id, ...aliases]);
  const variables = vendors.flatMap((each) => [
    each.baseUrlEnv,
    ...keyVariables(each),
    ...Object.values(each.headersFromEnv ?? {}),
    ...(each.login ? [each.login.clientIdEnv, each.login.authorizeUrlEnv, each.login.tokenUrlEnv] : []),
  ]);
  for (const all of [names, variables, vendors.map(({ name }) => name)]) expect(new Set(all).size).toBe(all.length);
  // A subscription is another way into the same place.
  const addresses = vendors.filter(({ login }) => !login).map(({ baseUrl }) => baseUrl);
  expect(new Set(addresses).size).toBe(addresses.length);
});

it.each(vendors)("the row $id can be used as it is", (row) => {
  expect(row.id).toMatch(/^[a-z0-9]+$/);
  const located = endpointOf(row, {});
  expect(located).toMatchObject({ ok: true, endpoint: { usual: true, api: row.api, baseUrl: row.baseUrl } });
  expect(new URL(row.baseUrl).protocol).toBe(row.local ? "http:" : "https:");
  expect(row.local || row.defaultModel).toBeTruthy();
  expect(row.maker === undefined || vendorOf(row.maker)).toBeTruthy();
});

describe("the access to a vendor", () => {
  it("takes a key from the second variable too, and the first one wins", () => {
    const keyOf = (env: Record<string, string>) => {
      const located = endpointOf(vendor("gemini"), env);
      return located.ok && located.endpoint.key;
    };
    expect(keyOf({ GOOGLE_API_KEY: "g" })).toBe("g");
    expect(keyOf({ GOOGLE_API_KEY: "g", GEMINI_API_KEY: "x" })).toBe("x");
  });

  it("uses chat completions where OPENAI_BASE_URL names another server", () => {
    expect(at("openai", "https://api.openai.com/v1")?.api).toBe("openai-responses");
    expect(at("openai", "http://127.0.0.1:8000/v1")?.api).toBe("openai-chat");
  });

  it("accepts a login, or a token in its variable, and never as a key", async () => {
    const login = { token: async () => ({ token: "stored" }), renew: async () => true };
    const claude = vendor("claude");
    const found = endpointOf(claude, {}, (id) => (id === "claude" ? login : undefined));
    expect(found.ok && hasAccess(found.endpoint) && found.endpoint.login).toBe(login);
    // The caller has already checked that no stronger variable overrides it.
    const kept = endpointOf(claude, { CLAUDE_ACCESS_TOKEN: "t" }, () => login);
    expect(kept.ok && kept.endpoint.login).toBe(login);
    const given = endpointOf(claude, { CLAUDE_ACCESS_TOKEN: "t" });
    if (!given.ok) throw new Error(given.problem);
    expect(given.endpoint.accessEnv).toBe("CLAUDE_ACCESS_TOKEN");
    expect(given.endpoint.key).toBeUndefined();
    expect(await given.endpoint.login?.token()).toEqual({ token: "t" });
    expect(await given.endpoint.login?.renew("t")).toBe(false);
    const none = endpointOf(claude, {});
    expect(none.ok && hasAccess(none.endpoint)).toBe(false);
    expect(endpointOf(vendor("openai"), {}, () => login)).not.toHaveProperty("endpoint.login");
  });

  it("prefers the key that harness stores for this vendor to one of a file", () => {
    const keptKey = (id: string) => (id === "openai" ? { key: "kept" } : undefined);
    const env = { OPENAI_API_KEY: "file" };
    const openai = endpointOf(vendor("openai"), env, keptKey);
    expect(openai).toMatchObject({ ok: true, endpoint: { key: "kept" } });
    expect(openai).not.toHaveProperty("endpoint.accessEnv");
    // Another row with the same variable.
    const work: Vendor = { ...vendor("groq"), keyEnv: "OPENAI_API_KEY" };
    expect(endpointOf(work, {}, keptKey)).not.toHaveProperty("endpoint.key");
  });

  it("says why a stored credential cannot be used, where there is no other", () => {
    const problem = "The keyring is locked.";
    expect(endpointOf(vendor("openai"), {}, () => ({ problem }))).toEqual({ ok: false, problem });
    expect(endpointOf(vendor("openai"), { OPENAI_API_KEY: "k" }, () => ({ problem }))).toMatchObject({ ok: true });
    expect(endpointOf(vendor("ollama"), {}, () => ({ problem }))).toMatchObject({ ok: true });
  });

  it("sends no key to a row without keys because its variable has a usual name", () => {
    const { vendor: mine } = readConf("groq", "url=https://other.example/v1", "groq.conf");
    const located = mine && endpointOf(mine, { GROQ_API_KEY: "of-groq" });
    expect(located).toMatchObject({ ok: true });
    expect(located).not.toHaveProperty("endpoint.key");
  });
});
