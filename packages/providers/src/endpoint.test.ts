import { describe, expect, it } from "vitest";
import { endpointOf, hasAccess, locate } from "./endpoint.ts";
import { type Vendor, vendorOf, vendors } from "./vendors.ts";

function vendor(id: string): Vendor {
  const found = vendorOf(id);
  if (!found) throw new Error(id);
  return found;
}

function at(id: string, baseUrl: string) {
  const located = locate(vendor(id), { baseUrl });
  return located.ok ? located.endpoint : undefined;
}

describe("addresses", () => {
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
  ])("%s at %s is %s", (id, given, expected) => {
    expect(at(id, given)?.baseUrl).toBe(expected);
  });

  it.each(["ftp://x", "http://", "http://a b", "file:///etc/passwd", "http://x:99999"])("%s is none", (given) => {
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
  ])("%s is near: %s", (given, near) => {
    expect(at("openai", given)?.near).toBe(near);
  });
});

describe("access", () => {
  it("needs a key only where somebody else is asked", () => {
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

  it("adds the headers that variables ask for", () => {
    const located = endpointOf(vendor("openai"), { OPENAI_ORG_ID: "org-1" });
    expect(located).toMatchObject({ ok: true, endpoint: { headers: { "openai-organization": "org-1" } } });
  });
});

it("the table has no two rows for one thing", () => {
  for (const field of ["id", "name", "baseUrl", "baseUrlEnv", "keyEnv"] as const) {
    expect(new Set(vendors.map((each) => each[field])).size).toBe(vendors.length);
  }
});
