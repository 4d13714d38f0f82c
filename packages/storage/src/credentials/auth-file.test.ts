import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCredentials } from "./open-credentials.ts";

const clock = { now: () => 0, monotonicMs: () => 0, sleep: async () => undefined };
const KEY = "gsk_0123456789abcdef";

let base = "";
const secrets: string[] = [];
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "auth-file-"));
  secrets.length = 0;
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const path = () => join(base, ".auth.json");
const put = (value: unknown) => writeFileSync(path(), typeof value === "string" ? value : JSON.stringify(value));
const open = () =>
  openCredentials(
    { root: join(base, "config"), programHome: base },
    { clock, keyring: () => "off", onSecrets: (found) => secrets.push(...found.map(({ value }) => value)) },
  );

describe("keys in ~/.harness/.auth.json", () => {
  it("are used where harness has none, and hidden", async () => {
    put({ groq: [{ type: "api_key", key: KEY }], zai: [{ type: "api_key", token: "tok_0123456789abcdef" }] });
    const stored = open();
    expect(stored.list()).toEqual({
      credentials: [
        expect.objectContaining({ provider: "groq", type: "apiKey", in: "file", path: path(), masked: "gsk_…cdef" }),
        expect.objectContaining({ provider: "zai" }),
      ],
      problems: [],
    });
    expect((await stored.get("groq")).credential).toMatchObject({ type: "apiKey", key: KEY });
    expect(secrets).toContain(KEY);
  });

  it("stand behind those of harness, are followed, and stay where they are", async () => {
    put({ groq: [{ type: "api_key", key: KEY }] });
    const stored = open();
    const before = stored.stamp();
    await stored.set("groq", { type: "apiKey", key: "gsk_own_0123456789" });
    expect((await stored.get("groq")).credential).toMatchObject({ key: "gsk_own_0123456789" });
    expect(stored.list().credentials).toHaveLength(1);
    const removed = await stored.remove("groq");
    expect(removed).toMatchObject({ removed: true, problems: [expect.stringContaining(`${path()} stays`)] });
    expect((await stored.get("groq")).credential).toMatchObject({ key: KEY });
    put({ groq: [{ type: "api_key", key: `${KEY}2` }] });
    expect(stored.stamp()).not.toBe(before);
    expect((await stored.get("groq")).credential).toMatchObject({ key: `${KEY}2` });
  });

  it.each<[string, unknown, string[]]>([
    [
      "a login, which belongs to another client",
      { claude: [{ type: "oauth", access_token: "a", refresh_token: "b" }] },
      [],
    ],
    ["a key that cannot be sent", { groq: [{ type: "api_key", key: "two words" }] }, []],
    ["an empty list", { groq: [] }, []],
    ["no JSON", "{", ["it is not valid JSON (line 1)"]],
    ["a list", [], ["it is not a JSON object"]],
  ])("are none: %s", async (_, value, words) => {
    put(value);
    const { credentials, problems } = open().list();
    expect(credentials).toEqual([]);
    expect(problems).toEqual(words.map((each) => `${path()} is not used: ${each}.`));
  });

  it("are none where there is no such file", () => {
    expect(open().list()).toEqual({ credentials: [], problems: [] });
  });
});
