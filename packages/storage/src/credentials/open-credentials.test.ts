import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "@harness/gate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCredentials } from "./open-credentials.ts";
import type { Keyring } from "./system-keyring.ts";

const KEY = "sk-test-0123456789abcdef";
const AT = "2026-11-21T12:00:00.000Z";
const clock: Clock = {
  now: () => Date.parse(AT),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    wait(ms, undefined, { ref: false, ...(signal && { signal }) }).then(
      () => undefined,
      () => undefined,
    ),
};

let root = "";
const path = () => join(root, "credentials.json");
const stored = () => JSON.parse(readFileSync(path(), "utf8"));
const plain = () => openCredentials({ root }, { clock, keyring: () => "off" });
const apiKey = (key = KEY) => ({ type: "apiKey" as const, key });
const login = {
  type: "oauth" as const,
  accessToken: "access-0123456789abcdef",
  refreshToken: "refresh-0123456789abcdef",
  expiresAt: "2026-11-21T13:00:00.000Z",
  account: "anna",
};

/** A keyring of the test's own; `broken` says what it refuses with. */
class MemoryKeyring implements Keyring {
  readonly secrets = new Map<string, string>();
  readonly asked: string[] = [];
  broken: string | undefined;

  async get(account: string) {
    this.#ask("get");
    return this.secrets.get(account);
  }

  async set(account: string, secret: string) {
    this.#ask("set");
    this.secrets.set(account, secret);
  }

  async delete(account: string) {
    this.#ask("delete");
    this.secrets.delete(account);
  }

  #ask(what: string): void {
    this.asked.push(what);
    if (this.broken !== undefined) throw new Error(this.broken);
  }
}

function withKeyring(keyring: Keyring, mode: () => "auto" | "off" = () => "auto") {
  return openCredentials({ root }, { clock, keyring: mode, loadKeyring: async () => keyring });
}

beforeEach(() => {
  root = join(mkdtempSync(join(tmpdir(), "credentials-")), "home");
});
afterEach(() => rmSync(join(root, ".."), { recursive: true, force: true }));

describe("the credential file", () => {
  it("is created by the first save for this user only, with no other file", async () => {
    expect(plain().list()).toEqual({ credentials: [], problems: [] });
    expect(await plain().get("openai")).toEqual({ problems: [] });
    expect(existsSync(root)).toBe(false);
    const saved = { provider: "openai", type: "apiKey", in: "file", masked: "sk-t…cdef", savedAt: AT };
    expect(await plain().set("openai", apiKey())).toEqual({ saved, problems: [] });
    expect((statSync(path()).mode & 0o7777).toString(8)).toBe("600");
    expect((statSync(root).mode & 0o7777).toString(8)).toBe("700");
    expect(readdirSync(root)).toEqual(["credentials.json"]);
    expect(stored()).toEqual({ version: 1, providers: { openai: { type: "apiKey", key: KEY, savedAt: AT } } });
    expect(plain().list()).toEqual({ credentials: [saved], problems: [] });
    expect((await plain().get("openai")).credential).toEqual({ type: "apiKey", key: KEY, savedAt: AT });
  });

  it("holds one credential per provider, the last one", async () => {
    await plain().set("openai", apiKey("first-key-0123456789"));
    await plain().set("openai", login);
    expect(plain().list().credentials).toMatchObject([{ type: "oauth", account: "anna", masked: "acce…cdef" }]);
    expect(await plain().remove("openai")).toEqual({ removed: true, problems: [] });
    expect(await plain().remove("openai")).toEqual({ removed: false, problems: [] });
    expect(stored().providers).toEqual({});
  });

  it("shows nothing of a short key, and refuses invalid keys and provider names", async () => {
    await plain().set("local", apiKey("abc12345"));
    expect(plain().list().credentials[0]?.masked).toBe("••••••••");
    for (const key of ["", " ", "two words", "line\nend"]) {
      expect(await plain().set("local", apiKey(key))).toEqual({ problem: expect.stringContaining("is not a key") });
    }
    expect(stored().providers.local.key).toBe("abc12345");
    for (const provider of ["", "../x", "__proto__", "a/b"]) {
      expect(await plain().set(provider, apiKey())).toEqual({ problem: expect.stringContaining("name of a provider") });
    }
  });

  it("keeps the changes of all writers", async () => {
    const names = Array.from({ length: 12 }, (_, at) => `vendor-${at}`);
    await Promise.all(names.map((name) => plain().set(name, apiKey(`key-of-${name}-0123456789`))));
    expect(Object.keys(stored().providers).sort()).toEqual([...names].sort());
    const ids = await Promise.all([plain().hostId(), plain().hostId()]);
    expect(ids[0]).toEqual(ids[1]);
    expect(ids[0]).toEqual({ hostId: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/) });
    await plain().remove("vendor-3");
    expect(Object.keys(stored().providers)).toHaveLength(11);
    expect(await plain().hostId()).toEqual(ids[0]);
  });

  it("keeps the entries of a later version", async () => {
    await plain().set("openai", apiKey());
    const odd = { type: "passkey", secret: "s3cret-of-a-later-version" };
    writeFileSync(path(), JSON.stringify({ ...stored(), note: 1, providers: { ...stored().providers, odd } }));
    expect(plain().list().problems).toEqual([
      `The entry "odd" in ${path()} cannot be read. It stays in the file but is not used.`,
    ]);
    await plain().set("groq", apiKey());
    expect(stored()).toMatchObject({ note: 1, providers: { odd, openai: {}, groq: {} } });
  });

  it("becomes private when others could read it, and reports that once", async () => {
    await plain().set("openai", apiKey());
    chmodSync(path(), 0o644);
    expect(plain().list().problems).toEqual([expect.stringContaining("could be read by other users")]);
    expect((statSync(path()).mode & 0o777).toString(8)).toBe("600");
    expect(plain().list().problems).toEqual([]);
  });

  it("may be a link to a file elsewhere", async () => {
    await plain().set("openai", apiKey());
    const elsewhere = join(root, "..", "elsewhere.json");
    writeFileSync(elsewhere, readFileSync(path()), { mode: 0o600 });
    rmSync(path());
    symlinkSync(elsewhere, path());
    await plain().set("groq", apiKey());
    expect(Object.keys(JSON.parse(readFileSync(elsewhere, "utf8")).providers)).toEqual(["openai", "groq"]);
  });
});

describe("a faulty credential file", () => {
  it.each([
    ["not JSON", `{ "version": 1, "providers": { "openai": { "key": "${KEY}" `],
    ["no object", "[]"],
    ["no version", "{}"],
  ])("is reported without its content, and renamed before a save: %s", async (_name, text) => {
    await plain().set("openai", apiKey());
    writeFileSync(path(), text);
    const { credentials, problems } = plain().list();
    expect(credentials).toEqual([]);
    expect(problems).toEqual([expect.stringContaining(`${path()} `)]);
    expect(problems.join("")).not.toContain(KEY);
    expect((await plain().get("openai")).credential).toBeUndefined();
    expect(readFileSync(path(), "utf8")).toBe(text);
    const saved = await plain().set("groq", apiKey());
    expect(saved).toMatchObject({ problems: [expect.stringContaining("credentials.json.broken-")] });
    const aside = readdirSync(root).find((name) => name.includes("broken")) ?? "";
    expect(readFileSync(join(root, aside), "utf8")).toBe(text);
    expect(Object.keys(stored().providers)).toEqual(["groq"]);
  });

  it("is left alone when a newer harness wrote it", async () => {
    await plain().set("openai", apiKey());
    writeFileSync(path(), JSON.stringify({ version: 2, vault: {} }));
    expect(await plain().set("groq", apiKey())).toEqual({
      problem: expect.stringContaining("newer version of harness"),
    });
    expect(stored()).toEqual({ version: 2, vault: {} });
  });

  it("is reported when it cannot be written", async () => {
    writeFileSync(join(root, "..", "file"), "");
    const credentials = openCredentials({ root: join(root, "..", "file", "x") }, { clock, keyring: () => "off" });
    expect(await credentials.set("openai", apiKey())).toEqual({ problem: expect.stringContaining("save the keys") });
  });
});

describe("the keyring", () => {
  it("stores the secrets, while the file lists their names", async () => {
    const keyring = new MemoryKeyring();
    const saved = await withKeyring(keyring).set("openai", login);
    expect(saved).toMatchObject({ saved: { in: "keyring", masked: "acce…cdef", account: "anna" }, problems: [] });
    expect(readFileSync(path(), "utf8")).not.toMatch(/0123456789/);
    expect([...keyring.secrets.keys()]).toEqual([`openai@${root}`]);
    expect(withKeyring(keyring).list().credentials).toMatchObject([{ provider: "openai", in: "keyring" }]);
    expect((await withKeyring(keyring).get("openai")).credential).toEqual({ ...login, savedAt: AT });
    expect(await withKeyring(keyring).remove("openai")).toEqual({ removed: true, problems: [] });
    expect(keyring.secrets.size).toBe(0);
  });

  it("is asked only when a secret is needed, and once per secret", async () => {
    const keyring = new MemoryKeyring();
    const one = withKeyring(keyring);
    one.list();
    await one.get("openai");
    await one.hostId();
    expect(keyring.asked).toEqual([]);
    await withKeyring(keyring).set("openai", apiKey());
    keyring.asked.length = 0;
    await one.get("openai");
    await one.get("openai");
    expect(keyring.asked).toEqual(["get"]);
    await withKeyring(keyring).set("openai", apiKey("another-key-0123456789"));
    expect((await one.get("openai")).credential).toMatchObject({ key: "another-key-0123456789" });
  });

  it("is replaced by the file with a notice when it does not work", async () => {
    const keyring = new MemoryKeyring();
    keyring.broken = "no such\nthing";
    const saved = await withKeyring(keyring).set("openai", apiKey());
    expect(saved).toMatchObject({
      saved: { in: "file" },
      problems: [expect.stringMatching(/^No system keyring here \(no such\)/)],
    });
    expect(stored().providers.openai.key).toBe(KEY);
  });

  it("is not used when it does not return what was stored", async () => {
    const keyring = new MemoryKeyring();
    keyring.set = async () => undefined;
    expect(await withKeyring(keyring).set("openai", apiKey())).toMatchObject({ saved: { in: "file" } });
  });

  it("is reported as unusable when a secret is needed and it fails", async () => {
    const keyring = new MemoryKeyring();
    await withKeyring(keyring).set("openai", apiKey());
    keyring.broken = "locked";
    const problems = [expect.stringContaining("which cannot be used now (locked)")];
    expect(await withKeyring(keyring).get("openai")).toEqual({ problems });
    keyring.broken = undefined;
    keyring.secrets.clear();
    expect((await withKeyring(keyring).get("openai")).problems).toEqual([
      expect.stringContaining("no longer in the system's"),
    ]);
  });

  it("loses its copy of a secret when the setting turns it off", async () => {
    const keyring = new MemoryKeyring();
    let mode: "auto" | "off" = "auto";
    const credentials = withKeyring(keyring, () => mode);
    await credentials.set("openai", apiKey());
    mode = "off";
    await credentials.set("openai", apiKey("another-key-0123456789"));
    expect(keyring.secrets.size).toBe(0);
    expect(stored().providers.openai.key).toBe("another-key-0123456789");
  });

  it("is used on this machine, or reports why it cannot be", async () => {
    const saved = await openCredentials({ root }, { clock, keyring: () => "auto" }).set("openai", apiKey());
    if ("problem" in saved) throw new Error(saved.problem);
    const reason = [expect.stringMatching(/^No system keyring here \(.+\): saved in /)];
    expect(saved.problems).toEqual(saved.saved.in === "keyring" ? [] : reason);
    expect(await openCredentials({ root }, { clock, keyring: () => "auto" }).remove("openai")).toMatchObject({
      removed: true,
    });
  });
});

describe("the lock of a provider", () => {
  it("admits one holder per provider, and other providers at once", async () => {
    const order: string[] = [];
    const entered = Promise.withResolvers<void>();
    const leave = Promise.withResolvers<void>();
    const first = plain().withLock("openai", async (held) => {
      entered.resolve();
      await leave.promise;
      order.push("first");
      await held.set(apiKey("key-of-the-first-0123"));
    });
    await entered.promise;
    const second = plain()
      .set("openai", apiKey("key-of-the-second-0123"))
      .then(() => order.push("second"));
    await plain().set("groq", apiKey());
    order.push("groq");
    leave.resolve();
    await Promise.all([first, second]);
    expect(order).toEqual(["groq", "first", "second"]);
    expect((await plain().get("openai")).credential).toMatchObject({ key: "key-of-the-second-0123" });
  });

  it("is released when its holder throws", async () => {
    const failing = plain().withLock("openai", async () => {
      throw new Error("broken");
    });
    await expect(failing).rejects.toThrow("broken");
    expect(await plain().withLock("openai", async () => 1)).toEqual({ value: 1 });
    expect(readdirSync(root)).toEqual([]);
  });
});
