import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createPlainServer } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { httpProxy, type SmallProxy, socksProxy } from "../../test/small-proxies.ts";

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
const HOST = "llm.example.test";

let folder: string;
let site: Server;
let plain: ReturnType<typeof createPlainServer>;
let proxies: Record<"http" | "socks" | "refusing", SmallProxy>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "harness http "));
  makeAuthority();
  site = createServer({ key: read("site.key"), cert: read("site.pem") }, (_, response) => response.end("read by TLS"));
  plain = createPlainServer((_, response) => response.end("read"));
  for (const each of [site, plain]) await new Promise<void>((done) => each.listen(0, "127.0.0.1", done));
  const toPlain = () => portOf(plain);
  proxies = {
    http: await httpProxy(() => portOf(site)),
    refusing: await httpProxy(toPlain, 403),
    socks: await socksProxy(toPlain),
  };
});
afterAll(async () => {
  for (const each of Object.values(proxies)) await each.close();
  for (const each of [site, plain]) {
    each.closeAllConnections();
    await new Promise((done) => each.close(done));
  }
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  for (const each of Object.values(proxies)) each.seen.length = 0;
});

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
const read = (name: string) => readFileSync(join(folder, name), "utf8");

/** A certificate authority of our own, a certificate signed by it, and a folder as OpenSSL reads it. */
function makeAuthority(): void {
  if (!hasOpenssl) return;
  const openssl = (...words: string[]) => execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });
  const made = (subject: string) => ["-newkey", "rsa:2048", "-nodes", "-subj", subject];
  openssl("req", "-x509", ...made("/CN=Own Authority"), "-days", "1", "-keyout", "ca.key", "-out", "ca.pem");
  const names = `subjectAltName=DNS:${HOST},IP:127.0.0.1`;
  openssl("req", ...made("/CN=x"), "-addext", names, "-keyout", "site.key", "-out", "site.csr");
  const by = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "1", "-copy_extensions", "copy"];
  openssl("x509", "-req", "-in", "site.csr", ...by, "-out", "site.pem");
  mkdirSync(join(folder, "certs"));
  const hash = openssl("x509", "-hash", "-noout", "-in", "ca.pem").toString().trim();
  execFileSync("cp", [join(folder, "ca.pem"), join(folder, "certs", `${hash}.0`)]);
}

const CODE = `import { sendHttp } from ${JSON.stringify(join(import.meta.dirname, "send-http.ts"))};
const { url, connection, judged } = JSON.parse(process.argv[1]);
const judge = judged && ((address) => (address === judged ? "refused: " + address : undefined));
const resolve = async () => [{ address: "192.0.2.7", family: 4 }];
try {
  const signal = AbortSignal.timeout(20000);
  const order = { url: new URL(url), method: "GET", headers: {}, signal, connection, judge, resolve };
  const response = await sendHttp(order);
  let text = "";
  for await (const piece of response) text += piece;
  console.log(response.statusCode + " " + text);
} catch (error) {
  console.log(error.code + " " + error.message);
}`;

/** The result of a separate process with these variables: they and the trusted authorities apply per process. */
async function get(
  url: string,
  env: Record<string, string> = {},
  { connection = "far", judged }: { connection?: "far" | "near"; judged?: string } = {},
): Promise<string> {
  const order = JSON.stringify({ url, connection, judged });
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", CODE, order], {
    env: { PATH: process.env.PATH ?? "", ...env },
  });
  return (await run).stdout.trim();
}

describe.skipIf(!hasOpenssl)("a server whose authority only this machine knows", () => {
  it.each([
    ["SSL_CERT_FILE", "ca.pem"],
    ["SSL_CERT_DIR", "certs"],
    ["NODE_EXTRA_CA_CERTS", "ca.pem"],
  ])("is trusted by %s", async (variable, name) => {
    const url = `https://127.0.0.1:${portOf(site)}`;
    expect(await get(url, { [variable]: join(folder, name) })).toBe("200 read by TLS");
  });

  it("is trusted behind a proxy", async () => {
    const env = { HTTPS_PROXY: proxies.http.address, SSL_CERT_FILE: join(folder, "ca.pem") };
    expect(await get(`https://${HOST}`, env)).toBe("200 read by TLS");
    expect(new Set(proxies.http.seen)).toEqual(new Set([`CONNECT ${HOST}:443`]));
  });

  it("is not trusted otherwise", async () => {
    expect(await get(`https://127.0.0.1:${portOf(site)}`)).toMatch(/^UNABLE_TO_VERIFY_LEAF_SIGNATURE /);
    const missing = { SSL_CERT_FILE: join(folder, "nothing"), SSL_CERT_DIR: join(folder, "nowhere") };
    expect(await get(`https://127.0.0.1:${portOf(site)}`, missing)).toMatch(/^UNABLE_TO_VERIFY_LEAF_SIGNATURE /);
  });

  it("is not trusted for another name", async () => {
    const env = { HTTPS_PROXY: proxies.http.address, SSL_CERT_FILE: join(folder, "ca.pem") };
    expect(await get("https://other.example.test", env)).toMatch(/^ERR_TLS_CERT_ALTNAME_INVALID /);
  });
});

describe("a request through a proxy", () => {
  it("goes through one that is named without a scheme, with user name and password", async () => {
    const env = { HTTP_PROXY: `me:hunter2@${proxies.http.address}` };
    expect(await get(`http://${HOST}/a`, env)).toBe("200 through the proxy");
    expect(proxies.http.seen).toEqual([`GET http://${HOST}/a Basic ${btoa("me:hunter2")}`]);
  });

  it.each([
    ["socks5h", `5 ${HOST}:80`, HOST],
    ["socks", `5 ${HOST}:80`, HOST],
    ["socks4a", `4 ${HOST}:80`, HOST],
    ["socks5", "5 192.0.2.9:80", "192.0.2.9"],
    ["socks4", "4 192.0.2.9:80", "192.0.2.9"],
  ])("goes through a proxy of the kind %s", async (kind, asked, host) => {
    expect(await get(`http://${host}`, { ALL_PROXY: `${kind}://${proxies.socks.address}` })).toBe("200 read");
    expect(proxies.socks.seen).toEqual([asked]);
  });

  it("gives a SOCKS proxy its user name and password", async () => {
    const env = { all_proxy: `socks5h://me:p%40ss@${proxies.socks.address}` };
    expect(await get(`http://${HOST}`, env)).toBe("200 read");
    expect(proxies.socks.seen[0]).toBe("user me p@ss");
  });

  it.skipIf(!hasOpenssl)("speaks TLS with the server behind a SOCKS proxy", async () => {
    const proxy = await socksProxy(() => portOf(site));
    try {
      const env = { ALL_PROXY: `socks5h://${proxy.address}`, SSL_CERT_FILE: join(folder, "ca.pem") };
      expect(await get(`https://${HOST}`, env)).toBe("200 read by TLS");
      expect(await get("https://other.example.test", env)).toMatch(/^ERR_TLS_CERT_ALTNAME_INVALID /);
    } finally {
      await proxy.close();
    }
  });

  it("never leaves for this machine, nor for what is near", async () => {
    const env = { ALL_PROXY: proxies.refusing.address, HTTP_PROXY: "garbage %%" };
    expect(await get(`http://127.0.0.1:${portOf(plain)}`, env)).toBe("200 read");
    expect(await get(`http://localhost:${portOf(plain)}`, env)).toBe("200 read");
    expect(proxies.refusing.seen).toEqual([]);
  });

  it("is not sent where an address of its host is refused", async () => {
    const env = { HTTP_PROXY: proxies.http.address };
    const judged = "192.0.2.7";
    expect(await get(`http://${HOST}`, env, { judged })).toBe("undefined refused: 192.0.2.7");
    expect(await get(`http://${HOST}`, env, { judged: "192.0.2.8" })).toBe("200 through the proxy");
    expect(proxies.http.seen).toEqual([`GET http://${HOST}/`]);
  });

  it.each([
    ["HTTPS_PROXY", "127.0.0.1:1", /The proxy in HTTPS_PROXY, http:\/\/127\.0\.0\.1:1, refuses connections\./],
    [
      "ALL_PROXY",
      "socks5h://u:hunter2@127.0.0.1:1",
      /The proxy in ALL_PROXY, socks5h:\/\/127\.0\.0\.1:1, refuses conn/,
    ],
    [
      "HTTPS_PROXY",
      "http://nothing.invalid:1",
      /The proxy in HTTPS_PROXY, http:\/\/nothing\.invalid:1, cannot be found/,
    ],
    [
      "https_proxy",
      "tcp://u:hunter2@proxy:1",
      /^ERR_PROXY_FAILED https_proxy is "tcp:\/\/…@proxy:1", which names no proxy/,
    ],
  ])("fails with the name of its variable: %s=%s", async (variable, value, words) => {
    const said = await get(`https://${HOST}`, { [variable]: value });
    expect(said).toMatch(words);
    expect(said).not.toContain("hunter2");
  });

  it("fails with the answer of a proxy that refuses", async () => {
    const env = { HTTPS_PROXY: proxies.refusing.address };
    expect(await get(`https://${HOST}`, env)).toMatch(
      /^ERR_PROXY_FAILED .* does not let the request through \(403\)\./,
    );
  });
});
