import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { ManualClock } from "@harness/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { browse, type IdentityProvider, placeFor, startIdentityProvider } from "../../test/identity-provider.ts";
import { type LoginPorts, type StartedLogin, startLogin } from "./start-login.ts";

let acme: IdentityProvider;
const open: StartedLogin[] = [];

async function begin(changes: Parameters<typeof placeFor>[1] = {}, ports: Partial<LoginPorts> = {}) {
  const clock = new ManualClock(new Date().toISOString());
  const login = await startLogin(placeFor(acme, changes), { clock, ...ports });
  open.push(login);
  return { login, clock };
}

beforeAll(async () => {
  acme = await startIdentityProvider();
});
afterAll(() => acme.close());
afterEach(() => {
  for (const login of open.splice(0)) login.cancel();
});

const tokens = {
  accessToken: expect.stringMatching(/^[\x21-\x7e]{20,}$/),
  refreshToken: expect.stringMatching(/^[\x21-\x7e]{20,}$/),
  expiresAt: expect.stringMatching(/^20\d\d-.*Z$/),
  issuedAt: expect.stringMatching(/^20\d\d-.*Z$/),
  account: "anna",
  clientId: "test-native-client",
};

describe("a login in a browser of this machine", () => {
  it("completes when the browser returns", async () => {
    const { login, clock } = await begin();
    expect(login.redirect).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/auth\/callback$/);
    expect(Date.parse(login.expiresAt) - clock.now()).toBe(600_000);
    const back = await browse(login.url);
    const page = await fetch(back);
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain("You can close this page");
    expect(html).not.toContain(new URL(back).searchParams.get("code"));
    const end = await login.end;
    expect(end).toEqual({ tokens });
    if ("problem" in end) throw new Error(end.problem);
    expect(Date.parse(end.tokens.expiresAt ?? "") - clock.now()).toBe(3_600_000);
    await expect(fetch(back)).rejects.toThrow("fetch failed");
  });

  it("uses PKCE, with a new state and verifier each time", async () => {
    const one = new URL((await begin()).login.url).searchParams;
    const other = new URL((await begin()).login.url).searchParams;
    expect(Object.fromEntries(one)).toMatchObject({
      response_type: "code",
      client_id: "test-native-client",
      scope: "openid offline_access",
      code_challenge_method: "S256",
      prompt: "consent",
    });
    expect(Buffer.from(one.get("state") ?? "", "base64url")).toHaveLength(32);
    for (const name of ["state", "code_challenge", "nonce"]) expect(one.get(name)).not.toBe(other.get(name));
  });

  it("ends when the person declines", async () => {
    const { login } = await begin();
    const page = await fetch(await browse(login.url, { denies: true }));
    expect(await page.text()).toContain("Access was denied");
    expect(await login.end).toEqual({ problem: "Access to Acme was denied in the browser." });
  });

  it("ignores every other request to its port", async () => {
    const { login } = await begin();
    const at = login.redirect ?? "";
    const asked = acme.tokenRequests();
    const evil = "<script>alert(1)</script>";
    const strays: [string, RequestInit, number][] = [
      [new URL("/favicon.ico", at).href, {}, 404],
      [new URL("/", at).href, {}, 404],
      [at, {}, 400],
      [`${at}?code=abc&state=${encodeURIComponent(evil)}`, {}, 400],
      [`${at}?error=access_denied&state=wrong`, {}, 400],
      [`${at}?code=abc&state=${new URL(login.url).searchParams.get("state")}`, { method: "POST" }, 405],
    ];
    for (const [url, init, status] of strays) {
      const response = await fetch(url, init);
      expect([url, response.status]).toEqual([url, status]);
      expect(await response.text()).not.toContain("script");
    }
    expect(acme.tokenRequests()).toBe(asked);
    await fetch(await browse(login.url));
    expect(await login.end).toEqual({ tokens });
  });

  it("does not answer to another host name", async () => {
    const { login } = await begin();
    const { port } = new URL(login.redirect ?? "");
    const { request } = await import("node:http");
    const options = { port, host: "127.0.0.1", path: "/auth/callback", headers: { host: `evil.example:${port}` } };
    const [response] = await once(request(options).end(), "response");
    expect(response.statusCode).toBe(404);
    response.resume();
  });

  it("ends after ten minutes, or when it is cancelled", async () => {
    const { login, clock } = await begin();
    clock.advance(600_000);
    expect(await login.end).toEqual({ problem: expect.stringContaining("within 10 minutes") });
    await expect(fetch(login.redirect ?? "")).rejects.toThrow("fetch failed");
    const other = (await begin()).login;
    other.cancel();
    expect(await other.end).toEqual({ problem: "The login to Acme was cancelled." });
    expect(await other.complete("anything")).toEqual(await other.end);
  });

  it("reports a code that is no longer valid, without the code", async () => {
    const { login } = await begin();
    const back = await browse(login.url);
    const code = new URL(back).searchParams.get("code") ?? "";
    await (await acme.provider.AuthorizationCode.find(code))?.destroy();
    await fetch(back);
    const end = await login.end;
    expect(end).toEqual({
      problem: "Acme issued no tokens (invalid_grant, status 400). Start again with `harness auth login acme`.",
    });
    expect(JSON.stringify(end)).not.toContain(code);
  });
});

describe("the identity token of a login with OpenID", () => {
  const claims = (about: object) => `e30.${Buffer.from(JSON.stringify(about)).toString("base64url")}.x`;
  let answered: (nonce: string | null) => object;
  let nonce: string | null;
  const vendor = createHttpServer((request, response) => {
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ access_token: "access-0123456789", ...answered(nonce) }));
  });
  beforeAll(async () => {
    vendor.listen(0, "127.0.0.1");
    await once(vendor, "listening");
  });
  afterAll(() => {
    vendor.close();
  });

  async function loggedIn(answer: typeof answered, scopes = ["openid", "offline_access"]) {
    answered = answer;
    const tokenUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/token`;
    const { login } = await begin({ tokenUrl, scopes }, { listen: false });
    const { searchParams } = new URL(login.url);
    nonce = searchParams.get("nonce");
    const back = new URL(searchParams.get("redirect_uri") ?? "");
    back.search = new URLSearchParams({ code: "code", state: searchParams.get("state") ?? "" }).toString();
    return await login.complete(back.href);
  }

  it.each<[string, typeof answered, string]>([
    ["is missing", () => ({}), "without an identity token"],
    ["is empty", () => ({ id_token: "" }), "without an identity token"],
    ["is not a token", () => ({ id_token: "a.b" }), "without an identity token"],
    ["is no text", () => ({ id_token: { nonce } }), "without an identity token"],
    ["names no login", () => ({ id_token: claims({ sub: "anna" }) }), "without an identity token"],
    ["names another login", () => ({ id_token: claims({ nonce: "other" }) }), "with tokens for another login"],
    ["names it otherwise", () => ({ id_token: claims({ nonce: [nonce] }) }), "with tokens for another login"],
  ])("ends the login where it %s", async (_what, answer, words) => {
    expect(await loggedIn(answer)).toEqual({ problem: expect.stringContaining(`Acme answered ${words}`) });
  });

  it("names the login that was begun, or was not asked for", async () => {
    const tokens = { accessToken: "access-0123456789" };
    expect(await loggedIn((own) => ({ id_token: claims({ nonce: own }) }))).toMatchObject({ tokens });
    expect(await loggedIn(() => ({}), ["offline_access"])).toMatchObject({ tokens });
  });
});

describe("a login port that is taken", () => {
  it("is replaced where the vendor allows it; otherwise the address is pasted", async () => {
    const taker = createServer().listen(0, "127.0.0.1");
    await once(taker, "listening");
    const { port } = taker.address() as AddressInfo;
    const path = "/auth/callback";
    const moved = (await begin({ redirect: { port, path, anyPort: true } })).login;
    expect(new URL(moved.redirect ?? "").port).not.toBe(String(port));
    const fixed = (await begin({ redirect: { port, path } })).login;
    expect(fixed.redirect).toBeUndefined();
    expect(new URL(fixed.url).searchParams.get("redirect_uri")).toBe(`http://127.0.0.1:${port}${path}`);
    expect(await fixed.complete(await browse(fixed.url))).toEqual({ tokens });
    taker.close();
  });
});

describe("a login over ssh", () => {
  it("completes with the whole pasted address", async () => {
    const { login } = await begin({ redirect: { port: 41_455, path: "/auth/callback" } }, { listen: false });
    expect(login.redirect).toBeUndefined();
    expect(login.paste).toContain("whole address");
    const back = await browse(login.url);
    expect(await login.complete(`  ${back}\n`)).toEqual({ tokens });
    expect(await login.end).toEqual({ tokens });
  });

  it("completes with a pasted CODE#STATE", async () => {
    const changes = {
      pasteStyle: "code#state" as const,
      pasteRedirect: "http://127.0.0.1:41456/auth/callback",
    };
    const { login } = await begin(changes, { listen: false });
    expect(login.paste).toContain("CODE#STATE");
    const { searchParams } = new URL(await browse(login.url));
    expect(await login.complete(`${searchParams.get("code")}#${searchParams.get("state")}`)).toEqual({ tokens });
  });

  it("continues after another text was pasted", async () => {
    const { login } = await begin();
    const back = await browse(login.url);
    const { searchParams } = new URL(back);
    const code = searchParams.get("code") ?? "";
    const asked = acme.tokenRequests();
    const wrong = [
      code,
      `${code}#wrong`,
      back.replace(/state=[^&]+/, "state=wrong"),
      "",
      "http://",
      "#",
      `#${searchParams.get("state")}`,
    ];
    for (const text of wrong) {
      const answer = await login.complete(text);
      expect([text, answer]).toEqual([text, { problem: expect.any(String) }]);
      if (code !== "") expect(JSON.stringify(answer)).not.toContain(code);
    }
    expect(acme.tokenRequests()).toBe(asked);
    // The same code twice at once is one exchange.
    expect(await Promise.all([login.complete(back), login.complete(back)])).toEqual([{ tokens }, { tokens }]);
    expect(acme.tokenRequests()).toBe(asked + 1);
  });
});

describe("a vendor that registers a client with the login", () => {
  const issuedClient = { entry: "register-me", nameParam: "name_hint", hostParam: "host_id" };

  it("gets the client's name, and the client id that it issues is used from then on", async () => {
    const { login } = await begin({ issuedClient }, { hostId: "urn:uuid:1" });
    const url = new URL(login.url);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ name_hint: "harness", host_id: "urn:uuid:1" });
    // The vendor's redirect after its login page.
    url.searchParams.set("client_id", "test-native-client");
    await fetch(`${await browse(url.href)}&client_id=test-native-client`);
    expect(await login.end).toEqual({ tokens });
  });

  it("registers no second client at a later login", async () => {
    const { login } = await begin({ issuedClient }, { hostId: "urn:uuid:1", issuedClientId: "test-native-client" });
    const params = Object.fromEntries(new URL(login.url).searchParams);
    expect(params).toMatchObject({ client_id: "test-native-client", host_id: "urn:uuid:1" });
    expect(params).not.toHaveProperty("name_hint");
    await fetch(await browse(login.url));
    expect(await login.end).toEqual({ tokens });
  });

  it("must send the client id that it issues", async () => {
    const { login } = await begin({ issuedClient }, { hostId: "urn:uuid:1" });
    const state = new URL(login.url).searchParams.get("state");
    expect(await login.complete(`code#${state}`)).toEqual({ problem: expect.stringContaining("registered no client") });
  });
});
