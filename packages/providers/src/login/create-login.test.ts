import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ManualClock } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  browse,
  type IdentityProvider,
  placeFor,
  rowFor,
  startIdentityProvider,
} from "../../test/identity-provider.ts";
import { LoginError } from "../wires/endpoint/login-session.ts";
import { createLogin } from "./create-login.ts";
import { startLogin } from "./start-login.ts";
import type { TokenStore, Tokens } from "./token-store.ts";

const HOUR = 3_600_000;

let acme: IdentityProvider;
beforeAll(async () => {
  acme = await startIdentityProvider();
});
afterAll(() => acme.close());

/** Tokens in memory, with a lock. */
class MemoryTokens implements TokenStore {
  tokens: Tokens | undefined;
  writeProblem: string | undefined;
  writes = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(tokens?: Tokens) {
    this.tokens = tokens;
  }

  async read() {
    return this.tokens;
  }

  locked: TokenStore["locked"] = (task) => {
    const write = async (tokens: Tokens) => {
      if (this.writeProblem !== undefined) throw new Error(this.writeProblem);
      this.writes += 1;
      this.tokens = tokens;
    };
    const turn = this.#last.then(() => task({ read: () => this.read(), write }));
    this.#last = turn.catch(() => undefined);
    return turn;
  };
}

/** A whole login at the real provider, as it is afterwards. */
async function loggedIn() {
  const clock = new ManualClock(new Date().toISOString());
  const login = await startLogin(placeFor(acme), { clock, listen: false });
  const end = await login.complete(await browse(login.url));
  if ("problem" in end) throw new Error(end.problem);
  const store = new MemoryTokens(end.tokens);
  const vendor = { id: "acme", name: "Acme", row: rowFor(acme) };
  const session = () => createLogin({ vendor, env: {}, store, clock });
  return { clock, store, session, vendor, first: end.tokens, asked: acme.tokenRequests() };
}

const problemOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof LoginError)) throw new Error(`no LoginProblem: ${error}`);
  return error.message;
};

describe("a completed login", () => {
  it("provides its token, and renews it early", async () => {
    const { clock, store, session, first, asked } = await loggedIn();
    const login = session();
    expect(await login.token()).toEqual({ token: first.accessToken, account: "anna" });
    clock.advance(HOUR - 301_000);
    expect(await login.token()).toEqual({ token: first.accessToken, account: "anna" });
    expect(acme.tokenRequests()).toBe(asked);
    clock.advance(1_000);
    const { token } = await login.token();
    expect(token).not.toBe(first.accessToken);
    expect(acme.tokenRequests()).toBe(asked + 1);
    // The new refresh token was saved: the old one is void at the vendor.
    expect(store.tokens?.accessToken).toBe(token);
    expect(store.tokens?.refreshToken).not.toBe(first.refreshToken);
    clock.advance(HOUR);
    expect((await login.token()).token).not.toBe(token);
    expect(store.writes).toBe(2);
  });

  it("is renewed once when a server refuses the token", async () => {
    const { session, first, asked } = await loggedIn();
    const login = session();
    expect(await Promise.all([login.renew(first.accessToken), login.renew(first.accessToken)])).toEqual([true, true]);
    expect(acme.tokenRequests()).toBe(asked + 1);
    expect((await login.token()).token).not.toBe(first.accessToken);
    // Another session was also refused with the old token, so there is a new one already.
    expect(await session().renew(first.accessToken)).toBe(true);
    expect(acme.tokenRequests()).toBe(asked + 1);
  });

  it("has ended when its refresh token was used elsewhere", async () => {
    const { clock, store, session, first } = await loggedIn();
    await session().renew(first.accessToken);
    store.tokens = first;
    clock.advance(2 * HOUR);
    const asked = acme.tokenRequests();
    const login = session();
    const problem = await problemOf(login.token());
    expect(problem).toContain("Log in again: `harness auth login acme`");
    expect(problem).toContain("invalid_grant");
    for (const secret of [first.accessToken, first.refreshToken]) expect(problem).not.toContain(secret);
    // It is not sent a second time.
    expect(await problemOf(login.token())).toContain("Log in again");
    expect(acme.tokenRequests()).toBe(asked + 1);
    expect(store.tokens).toEqual(first);
  });

  it("is reported as missing, or as ended and not renewable", async () => {
    const { clock, store, session, first } = await loggedIn();
    const { refreshToken: _none, ...bare } = first;
    store.tokens = bare;
    expect(await session().renew(first.accessToken)).toBe(false);
    expect((await session().token()).token).toBe(first.accessToken);
    clock.advance(HOUR);
    expect(await problemOf(session().token())).toContain("has ended. Log in again");
    store.tokens = undefined;
    expect(await problemOf(session().token())).toContain("You are not logged in to Acme");
    expect(await problemOf(session().renew("x"))).toContain("harness auth login acme");
  });

  it("is not lost when it was renewed and cannot be saved", async () => {
    const { clock, store, vendor, first, asked } = await loggedIn();
    const reports: (string | undefined)[] = [];
    const login = createLogin({ vendor, env: {}, store, clock, onUnsaved: (problem) => reports.push(problem) });
    clock.advance(HOUR);
    store.writeProblem = "The disk is full.";
    const { token } = await login.token();
    expect(token).not.toBe(first.accessToken);
    expect((await login.token()).token).toBe(token);
    expect(acme.tokenRequests()).toBe(asked + 1);
    expect(reports).toHaveLength(2);
    expect(reports[0]).toMatch(/^The login to Acme was renewed but could not be saved\. .* The disk is full\.$/);
    // Renewed once more, from what is in memory alone.
    expect(await login.renew(token)).toBe(true);
    expect(store.tokens).toEqual(first);
    store.writeProblem = undefined;
    const last = await login.token();
    expect(store.tokens?.accessToken).toBe(last.token);
    expect(last.token).not.toBe(token);
    expect(reports.at(-1)).toBeUndefined();
  });

  it("does not replace another login with an unsaved one", async () => {
    const { clock, store, session, first } = await loggedIn();
    const login = session();
    clock.advance(HOUR);
    store.writeProblem = "The disk is full.";
    await login.token();
    store.writeProblem = undefined;
    store.tokens = { ...first, accessToken: "of-another-login", expiresAt: "2036-01-01T00:00:00.000Z" };
    expect((await login.token()).token).toBe("of-another-login");
    expect(store.writes).toBe(0);
  });

  it("is renewed at most half of a token's lifetime early", async () => {
    const { clock, store, session, first, asked } = await loggedIn();
    const expiresAt = new Date(clock.now() + 120_000).toISOString();
    store.tokens = { ...first, issuedAt: new Date(clock.now()).toISOString(), expiresAt };
    clock.advance(59_000);
    expect((await session().token()).token).toBe(first.accessToken);
    clock.advance(1_000);
    expect((await session().token()).token).not.toBe(first.accessToken);
    expect(acme.tokenRequests()).toBe(asked + 1);
  });
});

describe("a failing token endpoint", () => {
  async function answering(status: number, body: string) {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const clock = new ManualClock("2026-11-21T12:00:00.000Z");
    const expiresAt = "2026-11-21T12:04:00.000Z";
    const store = new MemoryTokens({
      accessToken: "old-access",
      refreshToken: "old-refresh",
      expiresAt,
      clientId: "c",
    });
    const login = createLogin({ vendor: { id: "acme", name: "Acme", row: rowFor({ issuer }) }, env: {}, store, clock });
    const stop = () => new Promise((resolve) => server.close(resolve));
    return { login, store, clock, stop };
  }

  const echoed = JSON.stringify({ error: "invalid_grant", error_description: "old-refresh is unknown" });
  it.each([
    ["that is not JSON", 200, "<html>old-refresh</html>"],
    ["without a token", 200, JSON.stringify({ token_type: "Bearer", refresh_token: "x" })],
    ["with a token that no header can carry", 200, JSON.stringify({ access_token: "a\r\nb: c" })],
    ["with another kind of token", 200, JSON.stringify({ access_token: "new", token_type: "DPoP" })],
    ["that is an error of the server", 503, "old-refresh"],
    ["that sends elsewhere", 302, ""],
    ["that repeats what was sent", 400, echoed],
    ["with an error as an object", 400, JSON.stringify({ error: { code: "old-refresh" } })],
  ])("is reported when it answers %s, and nothing is lost", async (_name, status, body) => {
    const { login, store, clock, stop } = await answering(status, body);
    const isFinal = body === echoed;
    // Good for four minutes yet.
    if (!isFinal) expect((await login.token()).token).toBe("old-access");
    clock.advance(HOUR);
    const problem = await problemOf(login.token());
    expect(problem).toMatch(/Acme (issued no tokens|answered)/);
    expect(problem).not.toMatch(/old-|a\r\nb/);
    expect(problem).toMatch(isFinal ? /Log in again/ : /Try again/);
    expect(store.tokens).toMatchObject({ accessToken: "old-access", refreshToken: "old-refresh" });
    await stop();
  });

  it("does not change the refresh token or an unknown expiry without new values", async () => {
    const { login, store, clock, stop } = await answering(
      200,
      JSON.stringify({ access_token: "new", expires_in: "60" }),
    );
    expect((await login.token()).token).toBe("new");
    expect(store.tokens).toEqual({
      accessToken: "new",
      refreshToken: "old-refresh",
      expiresAt: new Date(clock.now() + 60_000).toISOString(),
      issuedAt: new Date(clock.now()).toISOString(),
      clientId: "c",
    });
    await stop();
  });

  it("is reported when it is unreachable", async () => {
    const { login, clock, stop } = await answering(200, "{}");
    await stop();
    clock.advance(HOUR);
    expect(await problemOf(login.token())).toContain("the connection failed (ECONNREFUSED). Try again.");
  });
});

describe("two processes that renew at once", () => {
  /** A Node process that hands out a token, with the credentials of the disk, on request. */
  function otherProcess(root: string): { child: ChildProcess; next(): Promise<string> } {
    const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
    const script = `
      import { createInterface } from "node:readline";
      import { openCredentials } from ${module("../../../storage/src/credentials/open-credentials.ts")};
      import { createLogin } from ${module("create-login.ts")};
      import { realClock as clock } from ${module("../../test/clocks.ts")};
      const kept = openCredentials({ root: ${JSON.stringify(root)} }, { clock, keyring: () => "off" });
      const tokens = async (from) => (await from.get("acme")).credential;
      const store = {
        read: () => kept.get("acme").then(({ credential }) => credential),
        locked: async (task) => (await kept.withLock("acme", (held) => task({
          read: () => held.get().then(({ credential }) => credential),
          write: async (fresh) => { await held.set({ type: "oauth", ...fresh }); },
        }))).value,
      };
      const vendor = { id: "acme", name: "Acme", row: ${JSON.stringify(rowFor(acme))} };
      const login = createLogin({ vendor, env: {}, store, clock });
      const requests = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
      console.log("ready");
      await requests.next();
      console.log(JSON.stringify(await login.token()));
      process.exit(0);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return { child, next: async () => String((await lines.next()).value) };
  }

  it("send the vendor one request, and both get the new token", async () => {
    const root = mkdtempSync(join(tmpdir(), "logins-"));
    const { first } = await loggedIn();
    const module = new URL("../../../storage/src/credentials/open-credentials.ts", import.meta.url).href;
    const { openCredentials } = await import(module);
    const clock = { now: () => Date.now(), monotonicMs: () => performance.now(), sleep: async () => undefined };
    const ended = { type: "oauth", ...first, expiresAt: "2026-01-01T00:00:00.000Z" };
    await openCredentials({ root }, { clock, keyring: () => "off" }).set("acme", ended);
    const asked = acme.tokenRequests();
    const processes = [otherProcess(root), otherProcess(root), otherProcess(root)];
    for (const { next } of processes) expect(await next()).toBe("ready");
    for (const { child } of processes) child.stdin?.write("go\n");
    const tokens = await Promise.all(processes.map(async ({ next }) => JSON.parse(await next()).token));
    expect(new Set(tokens).size).toBe(1);
    expect(tokens[0]).not.toBe(first.accessToken);
    expect(acme.tokenRequests()).toBe(asked + 1);
    const kept = JSON.parse(readFileSync(join(root, "credentials.json"), "utf8")).providers.acme;
    expect(kept.accessToken).toBe(tokens[0]);
    expect(kept.refreshToken).not.toBe(first.refreshToken);
    rmSync(root, { recursive: true, force: true });
  });
});
