import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { openTerminal } from "@harness/testkit/terminal";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { harnessEntry, type ProcessEnd, TestHome } from "../../packages/cli/test/harness-process.ts";
import { runInProcess } from "../../packages/cli/test/in-process.ts";

// A real server for each run, a model over real HTTP; commands that read stdin, ask or run prompts are real processes.

const KEY = "sk-or-secret-0123456789";

let server: ModelServer;
let place: TestHome;
let bare: TestHome;

beforeAll(async () => {
  server = await startModelServer({
    scenario: { name: "the same always", turns: [turns.say("Hello there.", { repeat: "always" })] },
  });
  place = new TestHome(server.environment);
  bare = new TestHome({ HARNESS_MODEL: "" });
});
afterAll(async () => {
  await server?.close();
  place?.remove();
  bare?.remove();
});

const at = (where: TestHome, ...args: string[]): Promise<ProcessEnd> => runInProcess(where, args);
const said = ({ stdout, stderr }: ProcessEnd): string => stdout + stderr;

describe.concurrent("a subcommand that lists", () => {
  it("shows the models for harness models, as a table and as JSON", async () => {
    const { code, stdout } = await place.run(["models"]);
    expect([code, stdout]).toEqual([0, "MODEL                  $ PER MILLION\nopenai/scripted-model  free\n"]);
    const json = await at(place, "models", "openai", "--json");
    expect(JSON.parse(json.stdout)).toEqual({
      models: [
        {
          provider: "openai",
          model: "scripted-model",
          place: expect.stringMatching(/^at 127\.0\.0\.1:\d+$/),
          price: expect.any(Object),
        },
      ],
      problems: [],
    });
  });

  it("shows the providers for harness providers, with the one in use", async () => {
    const { code, stdout, stderr } = await at(place, "providers");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^PROVIDER +NAME +READY +/);
    expect(stdout).toMatch(/^openai +OpenAI +yes +At http/m);
    expect(stdout).toMatch(/^groq +Groq +no +.*GROQ_API_KEY/m);
    // On a busy machine a line about the awaited server may come first.
    expect(stderr.split("\n").slice(-2)).toEqual(["A new session uses openai/scripted-model.", ""]);
  });

  it("explains how to get a model where there is none", async () => {
    const { code, stdout, stderr } = await at(bare, "models");
    expect([code, stdout]).toEqual([3, ""]);
    expect(stderr).toContain("No provider has a model.\n");
    expect(stderr).toContain("OPENROUTER_API_KEY");
  });

  it.each([
    [["models", "nobody"], 3, 'There is no provider "nobody"'],
    [["model", "rm", "nothing"], 2, "There is no added model file nothing."],
    [["model", "add", "nothing.gguf"], 2, "nothing.gguf is not there."],
    [["usage", "--day", "yesterday"], 2, "--day takes a day such as 2026-11-21"],
    [["providers", "-C", "nowhere"], 2, "--cd: nowhere does not exist."],
    [["auth", "login", "openai"], 2, "OpenAI has no login"],
    [["auth", "login", "chatgpt"], 3, "needs HARNESS_CHATGPT_CLIENT_ID"],
  ])("ends for %j with exit code %i and a message", async (args, code, words) => {
    const ended = await at(place, ...args);
    expect(ended.code).toBe(code);
    expect(ended.stdout).toBe("");
    expect(ended.stderr).toContain(words);
  });
});

describe("harness usage", () => {
  it("sums the cost of runs; a model of this machine is free", async () => {
    const own = new TestHome(server.environment);
    const nothing = await at(own, "usage");
    expect(nothing.stdout).toMatch(/^No requests on \d{4}-\d\d-\d\d\.\n$/);
    await own.run(["run", "say hello"]);
    const { code, stdout } = await at(own, "usage");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^openai\/scripted-model +1 .* free$/m);
    const { today } = JSON.parse((await at(own, "usage", "--json")).stdout);
    expect(today).toMatchObject({ requests: 1, cost: { usd: 0, unpricedRequests: 0 } });
    own.remove();
  });
});

describe("harness doctor", () => {
  it("prints each probe and then the model's capabilities", async () => {
    const { code, stdout, stderr } = await at(place, "doctor");
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Testing openai\/scripted-model: \d+ probes\.\n$/)]);
    expect(stdout).toMatch(/^ 1\/\d+ {2}ok {2}/);
    expect(stdout).toMatch(/^several calls at once +no$/m);
  });

  it("prints one capabilities record as JSON, for the model of the flags", async () => {
    const { code, stdout, stderr } = await at(
      place,
      "doctor",
      "--json",
      "--provider",
      "openai",
      "-m",
      "scripted-model",
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ provider: "openai", model: "scripted-model", toolMode: "native" });
    expect(stderr).toMatch(/^ 1\/\d+ {2}ok {2}/m);
  });

  it("explains how to get a model where there is none", async () => {
    const ended = await at(bare, "doctor");
    expect([ended.code, ended.stdout]).toEqual([3, ""]);
    expect(ended.stderr).toContain("No model is set up");
  });
});

describe("harness auth", () => {
  it("stores a key from a pipe, shows it masked and deletes it", async () => {
    const own = new TestHome();
    const kept = await own.run(["auth", "set", "openrouter"], { stdin: `${KEY}\n` });
    expect(kept.code).toBe(0);
    expect(kept.stdout).toMatch(/^Saved for OpenRouter: \S+6789, in /);
    const listed = await at(own, "auth", "list");
    expect(listed.stdout).toMatch(/^openrouter +key +\S+6789 /m);
    const json = await at(own, "auth", "list", "openrouter", "--json");
    expect(JSON.parse(json.stdout).credentials).toMatchObject([{ provider: "openrouter", kind: "apiKey" }]);
    const removed = await at(own, "auth", "rm", "openrouter");
    expect([removed.code, removed.stdout]).toEqual([0, "The key or login for openrouter was removed.\n"]);
    const again = await at(own, "auth", "rm", "openrouter");
    expect([again.code, again.stdout]).toEqual([0, "No key or login is saved for openrouter.\n"]);
    for (const ended of [kept, listed, json, removed]) expect(said(ended)).not.toContain("secret");
    own.remove();
  });

  it("says which of two keys is used, and which one remains", async () => {
    const own = new TestHome({ OPENROUTER_API_KEY: "sk-or-from-the-environment" });
    const kept = await own.run(["auth", "set", "openrouter"], { stdin: KEY });
    expect(kept.stderr).toContain("Another one takes precedence: see harness auth list openrouter");
    expect((await at(own, "auth", "list", "openrouter")).stdout).toMatch(/not used: another one takes precedence$/m);
    const removed = await at(own, "auth", "rm", "openrouter");
    expect(removed.stderr).toMatch(/Still set outside harness: .* from OPENROUTER_API_KEY \(environment\)\.\n$/);
    own.remove();
  });

  it("set asks an auth-set hook where nothing is piped in, and takes what is piped in", async () => {
    const own = new TestHome();
    const hook = join(own.home, "hooks.d/auth-set/10-vault");
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\necho '{"type":"api_key","key":"sk-of-the-vault-123456"}'\n`, { mode: 0o755 });
    const asked = await own.run(["auth", "set", "groq"], { stdin: "ignore" });
    expect([asked.code, asked.stdout]).toEqual([0, expect.stringContaining("from an auth-set hook")]);
    const piped = await own.run(["auth", "set", "groq"], { stdin: KEY });
    expect([piped.code, piped.stdout]).toEqual([0, expect.not.stringContaining("hook")]);
    own.remove();
  });

  it.each([
    ["nothing", "", "No key was given"],
    ["several words", "one\ntwo\n", "A key contains no spaces"],
    ["far too much", "x".repeat(70_000), "too large for a key"],
  ])("refuses %s", async (_what, stdin, words) => {
    const ended = await bare.run(["auth", "set", "groq"], { stdin });
    expect([ended.code, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain(words);
  });

  it("prompts on a terminal without echoing the input", async () => {
    const own = new TestHome();
    const terminal = openTerminal({
      command: process.execPath,
      args: [harnessEntry, "auth", "set", "groq"],
      cwd: own.cwd,
      env: own.env as Record<string, string>,
    });
    await terminal.waitFor("Key for groq (not shown):");
    terminal.type(`${KEY}x`);
    terminal.press("backspace");
    terminal.press("enter");
    expect((await terminal.exit).code).toBe(0);
    expect(terminal.rawOutput).toContain("Saved for Groq: ");
    expect(terminal.rawOutput).not.toContain("secret");
    own.remove();
  });

  it("is left with Ctrl+C and changes nothing", async () => {
    const own = new TestHome();
    const terminal = openTerminal({
      command: process.execPath,
      args: [harnessEntry, "auth", "set", "groq"],
      cwd: own.cwd,
      env: own.env as Record<string, string>,
    });
    await terminal.waitFor("(not shown)");
    terminal.type("half");
    terminal.press("ctrl+c");
    expect((await terminal.exit).code).toBe(130);
    expect((await at(own, "auth", "list", "groq")).stdout).toBe("");
    own.remove();
  });
});
