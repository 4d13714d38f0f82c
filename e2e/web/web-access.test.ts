// The page of `harness web` opens for its own links, and refuses everything else.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ListeningHome } from "../support/listening-server.ts";
import { raw, upgradeHeaders, WebGateway } from "../support/web-gateway.ts";

let place: ListeningHome;
let gateway: WebGateway;
let origin: string;
let key: string;
beforeAll(async () => {
  place = await ListeningHome.with({ turns: [] });
  gateway = await WebGateway.of(place);
  const link = await gateway.link(0);
  origin = new URL(link).origin;
  key = await gateway.key(link);
});
afterAll(() => place.close());

const socket = (changes: Record<string, string> = {}, path = "/socket", of = key) =>
  raw(origin, { path, headers: upgradeHeaders(origin, of, changes) });

it("listens on this machine alone, and serves a page that loads nothing from elsewhere", async () => {
  expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const { status, headers, body } = await raw(origin, {});
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-security-policy": expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'$/),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  expect(body.match(/(?:src|href)="[^"]*"/g)).toEqual(['href="/icon.svg"', 'href="/page.css"', 'src="/page.js"']);
});

it("opens one browser with a link, and prints another", async () => {
  const second = await gateway.link(1);
  const [, token = ""] = second.split("/#");
  const ask = (body: string) => raw(origin, { method: "POST", path: "/key", headers: { origin }, body });
  expect((await ask("x".repeat(43))).status).toBe(403);
  expect((await ask("x".repeat(100_000))).status).toBe(403);
  expect((await ask(token)).status).toBe(200);
  const again = await ask(token);
  expect([again.status, JSON.parse(again.body).error]).toEqual([403, expect.stringContaining("used already")]);
  expect(await gateway.link(2)).not.toBe(second);
});

it("gives a WebSocket to a browser with a key", async () => {
  expect(await socket()).toMatchObject({ status: 101, headers: { "sec-websocket-protocol": "harness" } });
});

it.each<[string, number, () => ReturnType<typeof socket>]>([
  ["a wrong key", 401, () => socket({}, "/socket", "x".repeat(43))],
  ["no key", 401, () => socket({ "sec-websocket-protocol": "harness" })],
  ["another page", 403, () => socket({ origin: "https://example.com" })],
  ["a page on another port of this machine", 403, () => socket({ origin: "http://127.0.0.1:1" })],
  ["a page of another scheme", 403, () => socket({ origin: origin.replace("http", "https") })],
  ["a program that names no page", 403, () => raw(origin, { path: "/socket", headers: withoutOrigin() })],
  ["a name that leads here (DNS rebinding)", 421, () => socket({ host: "example.com" })],
  ["this machine under another port", 421, () => socket({ host: "127.0.0.1:1" })],
  ["another path", 404, () => socket({}, "/other")],
  ["a socket elsewhere", 502, () => socket({}, "/socket?at=..%2F..%2Fother.sock")],
  ["a server that is not there", 502, () => socket({}, "/socket?at=0123456789-1.sock")],
])("refuses %s with %i", async (_, status, ask) => {
  expect((await ask()).status).toBe(status);
});

it("gives no key to another page, and no page under a strange name", async () => {
  const link = await gateway.link(2);
  const [, body = ""] = link.split("/#");
  const post = (headers: Record<string, string>) => raw(origin, { method: "POST", path: "/key", headers, body });
  expect((await post({ origin: "https://example.com" })).status).toBe(403);
  expect((await post({})).status).toBe(403);
  expect((await post({ origin, host: "example.com" })).status).toBe(421);
  expect((await raw(origin, { headers: { host: "example.com" } })).status).toBe(421);
  expect((await post({ origin })).status).toBe(200);
});

it("goes on after handshakes that are no WebSocket, keys that never end, and odd addresses", async () => {
  expect((await socket({ "sec-websocket-version": "7" })).status).toBe(400);
  expect((await socket({ "sec-websocket-key": "short" })).status).toBe(400);
  const endless = await raw(origin, {
    method: "POST",
    path: "/key",
    headers: { origin },
    body: "x".repeat(20_000_000),
  });
  expect(endless.status).toBe(403);
  for (const path of ["//", "/%", "/socket?at=%", "/../page.js"])
    expect((await raw(origin, { path })).status).toBe(404);
  expect((await socket({}, "/socket?at=%")).status).toBe(502);
  expect((await socket()).status).toBe(101);
});

it("ends a connection with a frame that is too large, or is not text, and goes on", async () => {
  const closed = (send: (socket: WebSocket) => void) =>
    new Promise<number>((resolve) => {
      const client = new WebSocket(`${origin.replace("http", "ws")}/socket`, {
        protocols: ["harness", `key.${key}`],
        headers: { origin },
      } as never);
      client.addEventListener("open", () => send(client));
      client.addEventListener("close", ({ code }) => resolve(code));
    });
  expect(await closed((client) => client.send("x".repeat(17 * 1024 * 1024)))).toBe(1009);
  expect(await closed((client) => client.send(new Uint8Array(8)))).toBe(1003);
  expect((await socket()).status).toBe(101);
});

it("listens to the network only with a certificate, or a word that says so", async () => {
  const { code, stderr } = await place.run("web", "--lan");
  expect([code, stderr]).toEqual([2, expect.stringContaining("--lan needs a certificate")]);
  const alone = await place.run("web", "--plain");
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining("need --lan")]);
});

it("serves other devices with encryption", async () => {
  const [cert, tlsKey] = [join(place.root, "page.pem"), join(place.root, "page.key")];
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=page", "-days", "1"];
  execFileSync("openssl", [...made, "-keyout", tlsKey, "-out", cert], { stdio: "ignore" });
  const shared = await WebGateway.of(place, "--lan", "--tls-cert", cert, "--tls-key", tlsKey);
  const link = await shared.link(0);
  expect(link).toMatch(/^https:\/\//);
  const local = `https://127.0.0.1:${new URL(link).port}`;
  const opened = await raw(local, {
    method: "POST",
    path: "/key",
    headers: { origin: local },
    body: link.split("/#")[1] ?? "",
  });
  expect(opened.status).toBe(200);
  const own = JSON.parse(opened.body).key;
  expect((await raw(local, { path: "/socket", headers: upgradeHeaders(local, own) })).status).toBe(101);
  expect((await raw(local, { path: "/socket", headers: upgradeHeaders("http://127.0.0.1", own) })).status).toBe(403);
});

function withoutOrigin(): Record<string, string> {
  const { origin: _, ...headers } = upgradeHeaders(origin, key);
  return headers;
}
