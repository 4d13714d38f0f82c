import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vendors as builtIn, inspectEnv, type Vendor } from "@harness/providers";
import { KnownSecrets, openCredentials } from "@harness/storage";
import { ManualClock } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EgressGuard } from "../egress/egress-guard.ts";
import { nodeClock } from "../system/node-clock.ts";
import { type LoginUpdate, PendingLogins } from "./pending-logins.ts";
import { ProviderCredentials } from "./provider-credentials.ts";

type Env = Record<string, string>;
type Options = {
  env?: Env;
  files?: Vendor[];
  without?: string;
  loadKeyring?: Parameters<typeof openCredentials>[1]["loadKeyring"];
};

const anywhere = new EgressGuard({ clock: nodeClock, lookup: undefined }).guarding(() => false);
const KEY = "key-of-openai-0123456789";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "credentials-"));
  for (const folder of ["home", "project", "config"]) mkdirSync(join(root, folder));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function row(id: string): Vendor {
  const found = builtIn.find((vendor) => vendor.id === id);
  if (!found) throw new Error(id);
  return found;
}

function open({ env = {}, files = [], loadKeyring }: Options = {}) {
  const secrets = new KnownSecrets();
  const reported: string[] = [];
  const configPaths = { root: join(root, "config") };
  const kept = openCredentials(configPaths, {
    clock: nodeClock,
    keyring: () => (loadKeyring ? "auto" : "off"),
    ...(loadKeyring && { loadKeyring }),
    onSecrets: (found) => secrets.add(found),
  });
  const inspect = () =>
    inspectEnv(join(root, "project"), env, {
      home: join(root, "home"),
      configFolder: join(root, "config"),
      isTrusted: () => true,
    });
  const names = files.map(({ id }) => id);
  const credentials = new ProviderCredentials({
    stored: { credentials: kept, secrets },
    env: { real: env, withFiles: () => ({ env: inspect().env, from: inspect().paths.join(" or ") }) },
    vendors: async () => [...builtIn.filter(({ id }) => !names.includes(id)), ...files],
    clock: nodeClock,
    egress: anywhere,
    onChange: () => undefined,
    report: (error) => reported.push(String(error)),
  });
  return { credentials, kept, reported, inspect };
}

const mine = (id: string, baseUrl: string, keyEnv: string): Vendor => ({
  ...row("groq"),
  id,
  baseUrl,
  keyEnv,
  file: `${id}.conf`,
});

describe("a stored credential", () => {
  it("is sent to its own vendor only, whatever its variable is called", async () => {
    const files = [mine("work", "https://work.example/v1", "OPENAI_API_KEY")];
    const { credentials } = open({ files });
    await credentials.setKey("openai", KEY);
    expect((await credentials.resolve()).logins("openai")).toEqual({ key: KEY });
    expect((await credentials.resolve()).logins("work")).toBeUndefined();
    await credentials.setKey("work", "key-of-work-0123456789");
    const { logins, programKeys } = await credentials.resolve();
    expect([logins("openai"), logins("work")]).toEqual([{ key: KEY }, { key: "key-of-work-0123456789" }]);
    expect(programKeys).toEqual({});
  });

  it("is sent only to the host that it belongs to", async () => {
    await open().credentials.setKey("groq", "key-of-groq-0123456789");
    const { credentials, reported } = open({ files: [mine("groq", "https://other.example/v1", "GROQ_API_KEY")] });
    const { logins, problems } = await credentials.resolve();
    const problem = expect.stringMatching(/for groq belongs to api\.groq\.com and is not sent to other\.example/);
    expect(logins("groq")).toEqual({ problem });
    expect(problems).toEqual([problem]);
    expect(reported).toEqual([problem]);
    expect(await credentials.list("groq")).toMatchObject({ credentials: [{ unused: true }], problems: [problem] });
    await credentials.setKey("groq", "key-of-other-0123456789");
    expect((await credentials.resolve()).logins("groq")).toEqual({ key: "key-of-other-0123456789" });
    expect((await open().credentials.resolve()).logins("groq")).toMatchObject({
      problem: expect.stringContaining("other.example"),
    });
  });

  it("is found by its variable when it is for a program, unless another row has it too", async () => {
    const program: Vendor = { ...mine("prog", "http://127.0.0.1:1", "PROG_KEY"), program: "/bin/prog" };
    await open({ files: [program] }).credentials.setKey("prog", "key-of-prog-0123456789");
    expect((await open({ files: [program] }).credentials.resolve()).programKeys).toEqual({
      PROG_KEY: "key-of-prog-0123456789",
    });
    const other = mine("other", "https://other.example/v1", "PROG_KEY");
    expect((await open({ files: [program, other] }).credentials.resolve()).programKeys).toEqual({});
  });

  it("ranks below a variable of the real environment that is not blank", async () => {
    await open().credentials.setKey("openai", KEY);
    const { credentials } = open({ env: { OPENAI_API_KEY: " " } });
    expect((await credentials.resolve()).logins("openai")).toEqual({ key: KEY });
    expect((await open({ env: { OPENAI_API_KEY: "real" } }).credentials.resolve()).logins("openai")).toBeUndefined();
  });

  it("ranks above those of a project, and a login above its token", async () => {
    writeFileSync(
      join(root, "project", ".env"),
      "CHATGPT_ACCESS_TOKEN=theirs-0123456789\nOPENAI_API_KEY=theirs-0123456789",
    );
    const { credentials, kept } = open();
    await kept.set("chatgpt", { type: "oauth", accessToken: "mine-0123456789abcdef", clientId: "c" });
    const login = (await credentials.resolve()).logins("chatgpt");
    if (!login || !("token" in login)) throw new Error("no login");
    expect(await login.token()).toEqual({ token: "mine-0123456789abcdef" });
    expect((await credentials.list("chatgpt")).credentials).toMatchObject([{ source: "file", kind: "login" }]);
    await credentials.setKey("openai", KEY);
    expect((await credentials.list("openai")).credentials).toMatchObject([
      { source: "file" },
      { source: "dotenv", unused: true },
    ]);
    const { credentials: behind } = open({ env: { OPENAI_API_KEY: "real-key-0123456789" } });
    expect((await behind.list("openai")).credentials).toMatchObject([
      { source: "env" },
      { source: "file", unused: true },
    ]);
  });

  it("is listed by its id when its file is gone, and can be removed", async () => {
    await open({ files: [mine("work", "https://work.example/v1", "WORK_KEY")] }).credentials.setKey("work", KEY);
    const { credentials } = open();
    const gone = [{ provider: "work", name: "work", unused: true, masked: "key-…6789" }];
    expect((await credentials.list(undefined)).credentials).toMatchObject(gone);
    expect((await credentials.list("work")).credentials).toMatchObject(gone);
    await expect(credentials.list("nobody")).rejects.toThrow("There is no provider");
    expect(await credentials.remove("work")).toEqual({ removed: true });
  });

  it("is reported as a problem when it is in a locked keyring", async () => {
    let isLocked = false;
    const secrets = new Map<string, string>();
    const opened = () => {
      if (isLocked) throw new Error("locked");
      return secrets;
    };
    const loadKeyring = async () => ({
      get: async (account: string) => opened().get(account),
      set: async (account: string, secret: string) => void opened().set(account, secret),
      delete: async (account: string) => void opened().delete(account),
    });
    await open({ loadKeyring }).credentials.setKey("openai", KEY);
    isLocked = true;
    const { credentials } = open({ loadKeyring });
    const problem = expect.stringContaining("in the system's keyring, which cannot be used now (locked)");
    expect((await credentials.resolve()).logins("openai")).toEqual({ problem });
    expect(await credentials.remove("openai")).toEqual({
      removed: true,
      problems: [expect.stringContaining("could not be removed from the system's keyring")],
    });
  });
});

it("a renewed login that cannot be saved is used, reported and saved later", async () => {
  const vendor = createServer((request, response) => {
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ access_token: "renewed-0123456789", refresh_token: "r", expires_in: 3600 }));
  });
  await new Promise<void>((resolve) => vendor.listen(0, "127.0.0.1", resolve));
  const { port } = vendor.address() as AddressInfo;
  const { credentials, kept, reported } = open({
    env: { HARNESS_CHATGPT_TOKEN_URL: `http://127.0.0.1:${port}/token` },
  });
  const ended = { accessToken: "ended-0123456789", refreshToken: "first", expiresAt: "2026-01-01T00:00:00.000Z" };
  await kept.set("chatgpt", { type: "oauth", ...ended, clientId: "c" });
  const withLock = kept.withLock.bind(kept);
  kept.withLock = (provider, task) =>
    withLock(provider, (held) => task({ ...held, set: async () => ({ problem: "The disk is full." }) }));
  const login = (await credentials.resolve()).logins("chatgpt");
  if (!login || !("token" in login)) throw new Error("no login");
  expect(await login.token()).toEqual({ token: "renewed-0123456789" });
  const problem = expect.stringMatching(/renewed but could not be saved.* The disk is full\./);
  expect((await credentials.list(undefined)).problems).toEqual([problem]);
  expect(reported).toEqual([problem]);
  kept.withLock = withLock;
  expect(await login.token()).toEqual({ token: "renewed-0123456789" });
  expect((await credentials.list(undefined)).problems).toEqual([]);
  expect((await kept.get("chatgpt")).credential).toMatchObject({ accessToken: "renewed-0123456789" });
  vendor.close();
});

describe("the list of secrets", () => {
  it("holds every key that was ever stored or read, even when the environment has another", async () => {
    const env = { MISTRAL_API_KEY: "of-the-environment-0123", MINE_CRED: "of-a-file-0123456789" };
    const { credentials, kept } = open({ env, files: [mine("mine", "https://mine.example/v1", "MINE_CRED")] });
    await kept.set("mistral", { type: "apiKey", key: "kept-and-unused-0123" });
    await kept.set("chatgpt", { type: "oauth", accessToken: "access-0123456789", refreshToken: "refresh-0123456789" });
    await credentials.resolve();
    await credentials.setKey("openai", KEY);
    await credentials.remove("openai");
    // Another harness renews the login.
    const renewed = { type: "oauth" as const, accessToken: "access-second-0123", refreshToken: "refresh-second-0123" };
    await open().kept.set("chatgpt", renewed);
    const { hide } = credentials.redactor(env);
    const words = [
      ...Object.values(env),
      KEY,
      "kept-and-unused-0123",
      "access-0123456789",
      "refresh-0123456789",
      "access-second-0123",
      "refresh-second-0123",
    ];
    for (const word of words) expect(hide(`a ${word} b`)).toMatch(/^a \[secret [\w ]+\] b$/);
  });
});

describe("a login that waits for a browser", () => {
  const env = { HARNESS_CLAUDE_CLIENT_ID: "client", SSH_CONNECTION: "somewhere" };

  function waiting() {
    const { credentials, kept } = open({ env });
    const ended: LoginUpdate[] = [];
    let ids = 0;
    const logins = new PendingLogins({
      credentials,
      stored: kept,
      env: () => env,
      clock: new ManualClock("2026-11-22T00:00:00.000Z"),
      egress: anywhere,
      onEnd: (update) => ended.push(update),
      newId: () => `login-${++ids}`,
    });
    return { logins, ended };
  }

  it("replaces an earlier one of the same vendor", async () => {
    const { logins, ended } = waiting();
    const client = new AbortController();
    await logins.start("claude", client.signal);
    await logins.start("claude", client.signal);
    expect(ended).toEqual([
      { loginId: "login-1", provider: "claude", problem: expect.stringContaining("this one was cancelled") },
    ]);
    await expect(logins.paste("login-1", "x")).rejects.toThrow("This login has ended");
    await expect(logins.paste("login-2", "x")).rejects.not.toThrow("This login has ended");
    logins.close();
  });

  it("ends with the client that started it", async () => {
    const { logins, ended } = waiting();
    const client = new AbortController();
    await logins.start("claude", client.signal);
    client.abort();
    await expect(logins.paste("login-1", "x")).rejects.toThrow("This login has ended");
    await logins.start("claude", client.signal);
    await expect(logins.paste("login-2", "x")).rejects.toThrow("This login has ended");
    expect(ended).toEqual([]);
  });
});
