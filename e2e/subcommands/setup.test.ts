import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { openTerminal } from "@harness/testkit/terminal";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { harnessEntry, TestHome } from "../../packages/cli/test/harness-process.ts";

// A real server and real settings: by lines of a script, and on a terminal.

const NO_KEYS = { HARNESS_MODEL: "", OLLAMA_HOST: "", LLAMACPP_URL: "", VLLM_URL: "", LMSTUDIO_URL: "" };
/** Servers on this machine must not matter. */
const nowhere = { ollama_url: ":1", llamacpp_url: ":1", vllm_url: ":1", lmstudio_url: ":1" };

let two: ModelServer;
let one: ModelServer;
let place: TestHome;

beforeAll(async () => {
  two = await startModelServer({ flavour: "vllm", scenario: { models: [{ id: "small" }, { id: "large" }] } });
  one = await startModelServer({
    flavour: "openai",
    scenario: { models: [{ id: "only" }], turns: [turns.say("Hello.")] },
  });
  place = new TestHome(NO_KEYS);
});
beforeEach(() => {
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, "settings.json"), JSON.stringify(nowhere));
});
afterAll(async () => {
  await Promise.all([two?.close(), one?.close()]);
  place?.remove();
});

const kept = (): unknown => JSON.parse(readFileSync(join(place.home, "settings.json"), "utf8"));
const hostOf = ({ url }: { url: string }): string => new URL(url).host;
const script = (...lines: string[]) => place.run(["setup"], { stdin: `${lines.join("\n")}\n` });

describe("harness setup", () => {
  it("by lines finds out what answers at an address, lets a model be chosen, and keeps both", async () => {
    const { code, stdout } = await script("address", two.url, "2");
    expect([code, stdout]).toEqual([
      0,
      `No model is set up yet.\nvLLM answers at ${two.url}/v1.\nThe model is large at ${hostOf(two)} (vLLM). Start with: harness\n`,
    ]);
    expect(kept()).toEqual({ ...nowhere, vllm_url: `${two.url}/v1`, model: "large", provider: "vllm" });
    const after = await place.run(["providers"]);
    expect(after.stderr).toContain("A new session uses vllm/large.");
  });

  it("with -u uses a server without a question", async () => {
    const { code, stdout } = await place.run(["--config", "-u", one.url]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`The model is only at ${hostOf(one)}.`)]);
    expect(kept()).toEqual({ ...nowhere, openai_base_url: `${one.url}/v1`, model: "only", provider: "openai" });
  });

  it("is not needed for one run: -u uses a server, and keeps nothing", async () => {
    const { code, stdout } = await place.run(["run", "-u", one.url, "say hello"]);
    expect([code, stdout]).toEqual([0, "Hello.\n"]);
    const listed = await place.run(["providers", "-u", two.url]);
    expect(listed.stderr).toContain("A new session uses vllm/small.");
    expect(kept()).toEqual(nowhere);
  });

  it("lets a server download the model that is named, with its progress, and uses it", async () => {
    const ollama = await startModelServer({
      flavour: "ollama",
      scenario: { models: [], library: [{ id: "coder:latest" }] },
    });
    writeFileSync(join(place.home, "settings.json"), JSON.stringify({ ...nowhere, ollama_url: ollama.url }));
    const refused = await script("pull", "nosuch");
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('Ollama could not pull "nosuch": pull model manifest: file does not exist'),
    ]);
    const { code, stdout, stderr } = await script("pull", "coder");
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`The model is coder:latest at ${hostOf(ollama)} (Ollama).`),
    ]);
    expect(stderr).toMatch(/pulling manifest\n.*\n?.*coder: 50% of 4\.7 GB\ncoder: 100% of 4\.7 GB/);
    expect(kept()).toMatchObject({ model: "coder:latest", provider: "ollama" });
    await ollama.close();
  });

  it("at an address without a model offers to download one", async () => {
    const ollama = await startModelServer({
      flavour: "ollama",
      scenario: { models: [], library: [{ id: "coder:latest" }] },
    });
    const { code, stdout } = await script("address", ollama.url, "coder");
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`The model is coder:latest at ${hostOf(ollama)} (Ollama).`),
    ]);
    await ollama.close();
  });

  it("says what is wrong with an address, and changes nothing", async () => {
    const { code, stderr } = await script("address", "http://127.0.0.1:1");
    expect([code, stderr]).toEqual([3, expect.stringContaining("The server at http://127.0.0.1:1/v1 refuses")]);
    expect(kept()).toEqual(nowhere);
  });

  it("changes nothing where nothing is chosen", async () => {
    const { code, stderr } = await script("");
    expect([code, stderr]).toEqual([130, expect.stringContaining("Nothing was changed.")]);
    expect(kept()).toEqual(nowhere);
  });

  it("on a terminal is worked with arrows and Enter", async () => {
    const { PATH, ...env } = place.env as Record<string, string>;
    const terminal = openTerminal({ command: process.execPath, args: [harnessEntry, "setup"], cwd: place.cwd, env });
    await terminal.waitFor("› 1  Enter an API key");
    terminal.press("up", "up");
    await terminal.waitFor(/› \d {2}Address of a server/);
    terminal.press("enter");
    await terminal.waitFor("Address, such as");
    terminal.type(`${two.url.replace("http://", "")}\r`);
    await terminal.waitFor("› 1  small");
    terminal.press("down", "enter");
    await terminal.waitFor(`The model is large at ${hostOf(two)} (vLLM).`);
    expect(kept()).toMatchObject({ model: "large", provider: "vllm" });
    await terminal.close();
  });
});
