import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { realSandbox, sandboxWith } from "../../../test/available-sandbox.ts";
import { createTrial, type Trial } from "../../../test/trial.ts";
import { createBash } from "../../bash.ts";
import { startProxy } from "./proxy-process.ts";

const { sandbox, missing } = await realSandbox({ allowedDomains: ["allowed.invalid", "localhost"] });
const bash = createBash({ timeoutMs: 15_000, extraEnv: {}, sandbox });

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());
afterAll(() => sandbox.close());

/**
 * Uses the proxy like any program, by its variables; only bash, because node may be where the sandbox has its own /tmp.
 */
const fetching = (url: string) =>
  [
    `(address=\${HTTP_PROXY#http://}; access=\${address%%@*}; access=\${access//%3D/=}`,
    `exec 3<>"/dev/tcp/127.0.0.1/\${HTTP_PROXY##*:}"`,
    `printf 'GET ${url} HTTP/1.1\\r\\nHost: ${new URL(url).host}\\r\\nProxy-Authorization: Basic %s\\r\\nConnection: close\\r\\n\\r\\n' "$(printf %s "$access" | base64 -w0)" >&3`,
    `cat <&3)`,
  ].join("; ");

describe.skipIf(missing !== "")(`a sandbox with allowed hosts${missing}`, () => {
  it("refuses all other hosts, and reports them to the model", async () => {
    const command = `${fetching("http://refused.invalid/")}; ${fetching("http://refused.invalid:81/")}`;
    const { text } = await trial.run(bash, { command }, { sandboxed: true });
    expect(text).toMatch(/\n\[the sandbox did not let it reach refused\.invalid:80, refused\.invalid:81\]\n/);
    expect(text).toContain("reaches only allowed.invalid, localhost. If the command needs more");
  });

  it("lets no command bypass the proxy", async () => {
    const command = "(exec 3<>/dev/tcp/192.0.2.1/80) 2>&1";
    expect((await trial.run(bash, { command }, { sandboxed: true })).text).toContain("Network is unreachable");
  });

  it("reports refused hosts per command", async () => {
    const [one, two] = await Promise.all(
      ["one", "two"].map((name) =>
        trial.run(bash, { command: fetching(`http://${name}.invalid/`) }, { sandboxed: true }),
      ),
    );
    expect(one?.text).toContain("did not let it reach one.invalid:80]");
    expect(two?.text).toContain("did not let it reach two.invalid:80]");
  });
});

describe.skipIf(missing !== "")(`a sandbox behind a proxy${missing}`, () => {
  it("reaches allowed hosts through it, and nothing where it is not understood", async () => {
    const seen: string[] = [];
    const parent = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.end("through the parent");
    });
    await new Promise<void>((done) => parent.listen(0, "127.0.0.1", done));
    const env = { HTTP_PROXY: `127.0.0.1:${(parent.address() as AddressInfo).port}` };
    const behind = sandboxWith({ allowedDomains: ["allowed.invalid"], env });
    try {
      await behind.ready();
      const command = fetching("http://allowed.invalid/a");
      const contained = createBash({ timeoutMs: 15_000, extraEnv: {}, sandbox: behind });
      expect((await trial.run(contained, { command }, { sandboxed: true })).text).toContain("through the parent");
      expect(seen).toEqual(["GET http://allowed.invalid/a"]);
    } finally {
      behind.close();
      await new Promise((done) => parent.close(done));
    }
    const garbled = sandboxWith({ allowedDomains: ["allowed.invalid"], env: { ALL_PROXY: "socks5://127.0.0.1:1" } });
    await garbled.ready();
    expect(garbled.why).toContain("ALL_PROXY names a SOCKS proxy");
    garbled.close();
  });
});

describe("the proxy", () => {
  it("reports a problem, even after it has ended", async () => {
    const proxy = await startProxy({ PATH: "/usr/bin:/bin" });
    const open = {
      ask: "open" as const,
      allowedDomains: ["*"],
      parents: {},
      socat: "/nowhere/socat",
      bwrap: "/nowhere/bwrap",
    };
    expect(await proxy.ask(open)).toHaveProperty("problem");
    proxy.end();
    expect(await proxy.ask(open)).toHaveProperty("problem");
  });
});
