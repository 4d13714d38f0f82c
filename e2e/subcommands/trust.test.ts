import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { openTerminal } from "@harness/testkit/terminal";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCommandLine } from "../../packages/cli/src/command-line/command-line.ts";
import { windowRequest } from "../../packages/cli/src/window/window-request.ts";
import { harnessEntry, linesOf, TestHome } from "../../packages/cli/test/harness-process.ts";
import { runInProcess } from "../../packages/cli/test/in-process.ts";

// A real server for each run, a model over real HTTP; commands that ask or run prompts are real processes. Each test
// works in its own clone.

let server: ModelServer;
let place: TestHome;
beforeAll(async () => {
  server = await startModelServer({
    scenario: { name: "the same always", turns: [turns.say("Hello there.", { repeat: "always" })] },
  });
  place = new TestHome({ HARNESS_MODEL: "" });
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

let count = 0;
/** Its own provider, which answers, and is chosen by its settings. */
function clone(): { cwd: string; put(path: string, content: string): void } {
  count += 1;
  const cwd = join(place.root, `clone-${count}`);
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
  };
  put(".git/HEAD", "ref: refs/heads/main\n");
  put(".harness/settings.json", '{"provider":"acme"}');
  put(".harness/providers/acme.conf", `url=${server.url}/v1\nmodel=scripted-model\n`);
  return { cwd, put };
}
const start = (cwd: string, ...args: string[]) => place.run(args, { cwd });
const run = (cwd: string, ...args: string[]) => runInProcess(place, args, cwd);
const look = async (cwd: string) => JSON.parse((await run(cwd, "trust", "--json")).stdout);

describe.concurrent("harness trust", () => {
  it("says why a folder cannot be trusted, and gives no hash for it", async () => {
    const { cwd, put } = clone();
    put(".harness/tools/huge", `#!/bin/sh\n${"x".repeat(2_000_000)}`);
    const { hash } = await look(cwd);
    const words = 'contains too much to be trusted: ".harness/tools/huge", which is larger than 1 MB.';
    const list = await run(cwd, "trust", "--list");
    expect(list).toMatchObject({ code: 0, stderr: expect.stringContaining(words) });
    expect(list.stdout).not.toContain("Hash:");
    const refused = await run(cwd, "trust", "--yes", hash);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining(words) });
  });

  it("lists the files that a clone brings, and trusts exactly this content by its hash", async () => {
    const { cwd, put } = clone();
    const { hash, state, root } = await look(cwd);
    expect([state, root]).toEqual(["untrusted", cwd]);
    const list = await run(cwd, "trust", "--list");
    expect(list.code).toBe(0);
    expect(list.stdout).toContain(
      `${cwd}: Not trusted: its settings can only tighten permissions, and none of its programs run.`,
    );
    expect(list.stdout).toMatch(/provider +\.harness\/providers\/acme\.conf +url=http/);
    expect(list.stdout).toMatch(/settings +\.harness\/settings\.json +sets provider = "acme"/);
    expect(list.stdout).toContain(`Hash: ${hash}`);

    const untrusted = await start(cwd, "trust");
    expect([untrusted.code, untrusted.stderr]).toEqual([2, expect.stringContaining(`harness trust --yes ${hash}`)]);
    const wrong = await run(cwd, "trust", "--yes", `${hash.slice(1)}0`);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("Nothing was decided")]);
    const yes = await run(cwd, "trust", "--yes", hash);
    expect([yes.code, yes.stdout]).toEqual([0, expect.stringContaining(`Trusted: ${cwd}.`)]);
    expect((await look(cwd)).state).toBe("trusted");

    const { providers } = JSON.parse((await run(cwd, "providers", "--json")).stdout);
    expect(providers).toContainEqual(expect.objectContaining({ id: "acme", ready: true }));
    const answered = await start(cwd, "run", "hello");
    expect([answered.code, answered.stdout, answered.stderr]).toEqual([0, "Hello there.\n", ""]);

    put(".harness/settings.json", '{"provider":"acme" }');
    const changed = await run(cwd, "trust", "--list");
    expect(changed.stdout).toMatch(/^changed +settings +\.harness\/settings\.json/m);
    expect((await start(cwd, "run", "hello")).stderr).toContain("has changed since you trusted it");
    const forgotten = await run(cwd, "trust", "--forget");
    expect([forgotten.code, forgotten.stdout]).toEqual([0, expect.stringContaining("Removed.")]);
    expect((await look(cwd)).state).toBe("untrusted");
  });

  it("covers a clone's .env, which is not even opened before", async () => {
    const { cwd, put } = clone();
    put(".env", "GROQ_API_KEY=gsk-theirs\n");
    const groq = async () => {
      const { stdout, stderr } = await run(cwd, "providers", "--json");
      const { ready } = JSON.parse(stdout).providers.find(({ id }: { id: string }) => id === "groq");
      return { ready, reported: `${stdout}${stderr}`.includes("/.env was not read: the folder is not trusted") };
    };
    expect(await groq()).toEqual({ ready: false, reported: true });
    const { hash, items } = await look(cwd);
    expect(JSON.stringify(items)).not.toContain("gsk-theirs");
    await run(cwd, "trust", "--yes", hash);
    expect(await groq()).toEqual({ ready: true, reported: false });
  });

  it("escapes hostile names and content", async () => {
    const { cwd, put } = clone();
    put(".harness/tools/a\u001b[2J\u202egnp.exe\nyes: harmless", "#!/bin/sh\n\u001b]52;c;x\u0007rm -rf ~\n");
    const { stdout } = await run(cwd, "trust", "--list");
    for (const hidden of ["\u001b", "\u202e", "\u0007"]) expect(stdout).not.toContain(hidden);
    expect(stdout).toContain(".harness/tools/a␛[2J⟨U+202E⟩gnp.exe\\nyes: harmless");
    expect(stdout).toContain("␛]52;c;x␇rm -rf ~");
  });

  it("reports nothing where a folder brings nothing", async () => {
    const { code, stdout } = await run(place.cwd, "trust");
    expect([code, stdout]).toEqual([0, `${place.cwd}: There is nothing to trust.\n`]);
  });

  it("refuses the home directory", async () => {
    writeFileSync(join(place.root, ".mcp.json"), "{}");
    const { hash } = await look(place.root);
    const { code, stderr } = await run(place.root, "trust", "--yes", hash);
    expect([code, stderr]).toEqual([4, expect.stringContaining("is your home folder")]);
  });

  it.each([
    [["--yes"], "--yes needs one"],
    [["0123"], "A hash goes with --yes"],
    [["--list", "--forget"], "--list and --forget cannot be combined"],
  ])("refuses %j with a message", async (args, words) => {
    const { code, stderr } = await run(place.cwd, "trust", ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});

describe.concurrent("harness trust in a terminal", () => {
  const ask = (cwd: string) => {
    const { PATH: _, ...env } = place.env as Record<string, string>;
    return openTerminal({ command: process.execPath, args: [harnessEntry, "trust"], cwd, env, cols: 120, rows: 40 });
  };

  it.each<[string[], number, string]>([
    [["y", "\r"], 0, "trusted"],
    [["y", "e", "s", "\r"], 0, "trusted"],
    [["n", "\r"], 4, "untrusted"],
    [["\r"], 4, "untrusted"],
    [["\u001b"], 4, "untrusted"],
    [["y", "o", "u", "\r"], 4, "untrusted"],
    [["y", "\u007f", "\r"], 4, "untrusted"],
    [["y\r", "\u001b"], 4, "untrusted"],
  ])("accepts %j as the answer (exit code %d)", async (keys, code, state) => {
    const { cwd } = clone();
    const terminal = ask(cwd);
    // Typed ahead, so it does not answer.
    terminal.type("y");
    await terminal.waitFor("until it changes? (y/N)");
    expect((await look(cwd)).state).toBe("untrusted");
    let shown = "";
    for (const key of keys) {
      terminal.type(key);
      if (!/[a-z]/.test(key)) continue;
      shown += key.trim();
      await terminal.waitFor(`(y/N) ${shown}`);
    }
    expect((await terminal.exit).code).toBe(code);
    expect((await look(cwd)).state).toBe(state);
  });
});

describe.concurrent("harness run in an untrusted folder", () => {
  it("prints one line on what is ignored, and how to trust it", async () => {
    const { cwd } = clone();
    const { stderr, code } = await start(cwd, "run", "hello");
    expect(code).toBe(3);
    const lines = stderr.split("\n").filter((line) => line.includes("--trust"));
    expect(lines).toEqual([
      `harness: ${cwd} is not trusted: .harness/providers/acme.conf, .harness/settings.json can only make permissions stricter; nothing in them is run or offered. See harness trust, or trust it for this run with --trust.`,
    ]);
    expect((await start(cwd, "run", "--quiet", "hello")).stderr).not.toContain("--trust");
  });

  it("uses it for this run with --trust, and lists it", async () => {
    const { cwd } = clone();
    const { code, stdout, stderr } = await start(cwd, "run", "--trust", "--json", "hello");
    expect(code).toBe(0);
    expect(linesOf(stdout).at(-1)).toMatchObject({ type: "result", result: "Hello there." });
    expect(stderr).toContain(`harness: Trusted for this run: ${cwd}`);
    expect(stderr).toMatch(/settings +\.harness\/settings\.json +sets provider = "acme"/);
    expect((await look(cwd)).state).toBe("untrusted");
  });

  it("stops with --trust when the folder cannot be trusted", async () => {
    const { cwd, put } = clone();
    put(".harness/huge", "x".repeat(1024 * 1024 + 1));
    const { code, stderr } = await start(cwd, "run", "--trust", "hello");
    expect([code, stderr]).toEqual([2, expect.stringContaining("larger than 1 MB")]);
  });
});

describe("the window with --trust", () => {
  it("prints what is trusted on stderr before the window opens", async () => {
    const { cwd } = clone();
    const { PATH: _, ...env } = place.env as Record<string, string>;
    const command = process.execPath;
    const terminal = openTerminal({ command, args: [harnessEntry, "--trust"], cwd, env, cols: 120, rows: 40 });
    // The window may be drawn over it at the same moment.
    await terminal.waitFor("Ask anything · / commands · @ files");
    const [notice = ""] = terminal.rawOutput.split("\u001b[");
    expect(notice.indexOf(`harness: Trusted for this run: ${cwd}`)).toBe(0);
    expect(notice).toContain('sets provider = "acme"');
    await terminal.close();
    expect((await look(cwd)).state).toBe("untrusted");
  });

  it("passes the hash of the trusted content on to its server", () => {
    const { server: asked } = windowRequest(readCommandLine(["--trust"]), { trustedHash: "0123" });
    expect(asked.args.at(-1)).toBe("--trust=0123");
    expect(windowRequest(readCommandLine([])).server.args.join()).not.toContain("--trust");
  });
});
