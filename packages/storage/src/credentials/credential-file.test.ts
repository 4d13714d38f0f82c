import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "@harness/gate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Secret } from "../secrets/redactor.ts";
import { openCredentials } from "./open-credentials.ts";

const AT = "2026-11-21T12:00:00.000Z";
const KEY = "sk-test-0123456789abcdef";
const clock: Clock = { now: () => Date.parse(AT), monotonicMs: () => performance.now(), sleep: async () => undefined };

let root = "";
const path = () => join(root, "credentials.json");
const write = (value: unknown) => writeFileSync(path(), JSON.stringify(value), { mode: 0o600 });
const entry = (key = KEY) => ({ type: "apiKey", key, savedAt: AT });
const open = (onSecrets?: (secrets: Secret[]) => void) =>
  openCredentials({ root }, { clock, keyring: () => "off", ...(onSecrets && { onSecrets }) });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "credential-file-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("credentials.json", () => {
  it.runIf(process.getuid?.() === 0)("is not used when it belongs to another user", async () => {
    write({ version: 1, providers: { openai: entry() } });
    chownSync(path(), 65_534, 65_534);
    const problems = [expect.stringContaining("it belongs to another user")];
    expect(await open().get("openai")).toEqual({ problems });
    expect(await open().set("openai", { type: "apiKey", key: KEY })).toEqual({ problem: problems[0] });
  });

  it("is left alone when a newer harness wrote it, whatever its shape", async () => {
    write({ version: 2, providers: [entry()] });
    expect(await open().set("openai", { type: "apiKey", key: KEY })).toEqual({
      problem: expect.stringContaining("newer version of harness"),
    });
    expect(readdirSync(root)).toEqual(["credentials.json"]);
  });

  it("keeps an invalid key that was entered by hand, reports it and does not use it", async () => {
    write({ version: 1, providers: { openai: entry(`${KEY}\n`), groq: entry() } });
    const { credential, problems } = await open().get("openai");
    expect(credential).toBeUndefined();
    expect(problems).toEqual([
      expect.stringMatching(/The value for "openai" in .* is not a key: .* It is not used\.$/),
    ]);
    expect(problems.join()).not.toContain(KEY);
    await open().set("mistral", { type: "apiKey", key: KEY });
    expect(Object.keys(JSON.parse(readFileSync(path(), "utf8")).providers)).toEqual(["openai", "groq", "mistral"]);
  });

  it("stores a key for a provider of any name", async () => {
    expect(await open().set("json", { type: "apiKey", key: KEY })).toMatchObject({ saved: { provider: "json" } });
  });

  it("announces its secrets once when it is read, and each new one when it is saved", async () => {
    const announced: string[] = [];
    const kept = open((secrets) => announced.push(...secrets.map(({ name, value }) => `${name}: ${value}`)));
    write({
      version: 1,
      providers: {
        openai: entry(),
        chatgpt: { type: "oauth", accessToken: "access-1", refreshToken: "refresh-1", savedAt: AT },
      },
    });
    kept.stamp();
    const first = [`key of openai: ${KEY}`, "login of chatgpt: access-1", "login of chatgpt: refresh-1"];
    expect(announced).toEqual(first);
    kept.stamp();
    expect(announced).toEqual(first);
    await kept.set("groq", { type: "apiKey", key: "not a key" });
    expect(announced).toContain("key of groq: not a key");
  });

  it("has a stamp that changes with a new key, but not with a renewed token", async () => {
    const kept = open();
    const stamps = [kept.stamp()];
    await kept.set("chatgpt", { type: "oauth", accessToken: "access-1" });
    stamps.push(kept.stamp());
    await open().set("chatgpt", { type: "oauth", accessToken: "access-2" });
    expect(kept.stamp()).toBe(stamps[1]);
    await open().set("openai", { type: "apiKey", key: KEY, host: "api.openai.com" });
    stamps.push(kept.stamp());
    await open().set("openai", { type: "apiKey", key: `${KEY}-other` });
    stamps.push(kept.stamp());
    chmodSync(path(), 0o600);
    expect(kept.stamp()).toBe(stamps.at(-1));
    expect(new Set(stamps).size).toBe(stamps.length);
  });
});
