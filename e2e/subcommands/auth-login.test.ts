import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HarnessProcess, TestHome } from "../../packages/cli/test/harness-process.ts";

// The command as users run it, with a vendor that returns a token for every code except `bad`.

const TOKEN = "token-secret-0123456789";

let vendor: Server;
let place: TestHome;
const codes: string[] = [];
/** From the last login that was begun; the vendor repeats it. */
let nonce = "";

beforeAll(async () => {
  vendor = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const fields = body.startsWith("{") ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
    codes.push(fields.code);
    const isGood = fields.code !== "bad";
    response.writeHead(isGood ? 200 : 400, { "content-type": "application/json" });
    const claims = Buffer.from(JSON.stringify({ nonce })).toString("base64url");
    const tokens = {
      id_token: `e30.${claims}.x`,
      access_token: TOKEN,
      refresh_token: "again-secret",
      token_type: "Bearer",
      expires_in: 3600,
    };
    response.end(JSON.stringify(isGood ? tokens : { error: "invalid_grant" }));
  });
  await new Promise<void>((listening) => vendor.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
  place = new TestHome({
    HARNESS_CHATGPT_CLIENT_ID: "my-client",
    HARNESS_CHATGPT_AUTHORIZE_URL: `${url}/authorize`,
    HARNESS_CHATGPT_TOKEN_URL: `${url}/token`,
  });
});
afterAll(() => {
  vendor?.close();
  place?.remove();
});

/** A waiting login, and the address that it shows. */
async function begun(stdin: "pipe" | "ignore" = "pipe"): Promise<{ login: HarnessProcess; url: URL }> {
  const login = place.start(["auth", "login", "chatgpt"], { stdin });
  await login.says("stderr", "Ctrl+C cancels.");
  // The two streams are two pipes: one may be read before the other.
  await login.says("stdout", "\n");
  const url = new URL(login.stdout.trim());
  nonce = url.searchParams.get("nonce") ?? "";
  return { login, url };
}

const state = (url: URL): string => url.searchParams.get("state") ?? "";

describe("harness auth login", () => {
  it("completes when the browser returns", async () => {
    const { login, url } = await begun("ignore");
    expect(login.stderr).toContain("Open this address in your browser");
    const back = new URL(url.searchParams.get("redirect_uri") ?? "");
    back.search = new URLSearchParams({ code: "from-the-browser", state: state(url) }).toString();
    expect((await fetch(back)).status).toBe(200);
    const { code, stdout, stderr } = await login.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nLogged in to ChatGPT: \S+6789\.\n$/);
    expect(stdout + stderr).not.toContain("secret");
    expect(codes.at(-1)).toBe("from-the-browser");
    const listed = await place.run(["auth", "list", "chatgpt"]);
    expect(listed.stdout).toMatch(/^chatgpt +login +\S+6789 .*until \d{4}-/m);
  });

  it("accepts a pasted code, and asks again when it belongs to another login", async () => {
    const { login, url } = await begun();
    login.child.stdin?.write("\nCODE#wrong-state\n");
    await login.says("stderr", "harness: ");
    expect(login.child.exitCode).toBeNull();
    login.child.stdin?.write(`pasted-code#${state(url)}\n`);
    expect((await login.ended).code).toBe(0);
    expect(codes.at(-1)).toBe("pasted-code");
  });

  it("is cancelled with Ctrl+C", async () => {
    const { login } = await begun("ignore");
    login.child.kill("SIGINT");
    expect((await login.ended).code).toBe(130);
  });

  it("ends with a message and exit code 3 when the vendor refuses", async () => {
    const { login, url } = await begun("ignore");
    const back = new URL(url.searchParams.get("redirect_uri") ?? "");
    back.search = new URLSearchParams({ error: "access_denied", state: state(url) }).toString();
    await fetch(back);
    const { code, stderr } = await login.ended;
    expect(code).toBe(3);
    expect(stderr).toMatch(/harness: .*ChatGPT/);
  });
});
