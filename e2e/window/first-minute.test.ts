import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { type OpenTerminal, openTerminal } from "@harness/testkit/terminal";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { harnessEntry, TestHome } from "../../packages/cli/test/harness-process.ts";

// The window for a user without a model, in a real terminal.

const NONE = { HARNESS_MODEL: "", OLLAMA_HOST: "", LLAMACPP_URL: "", VLLM_URL: "", LMSTUDIO_URL: "" };
const scenario = { models: [{ id: "qwen3" }], turns: [turns.say("Fixed, all green.")] };

let place: TestHome;
let window: OpenTerminal | undefined;
let server: ModelServer | undefined;

beforeEach(() => {
  place = new TestHome(NONE);
});
afterEach(async () => {
  await window?.close();
  await server?.close();
  window = undefined;
  server = undefined;
  place.remove();
});

/** A window with settings that name no running server. */
function open(settings: Record<string, string> = {}): OpenTerminal {
  const nowhere = { ollama_url: ":1", llamacpp_url: ":1", vllm_url: ":1", lmstudio_url: ":1" };
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, "settings.json"), JSON.stringify({ ...nowhere, ...settings }));
  const env = place.env as Record<string, string>;
  return openTerminal({ command: process.execPath, args: [harnessEntry], cwd: place.cwd, env, cols: 80, rows: 24 });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => probe.once("listening", done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

describe("a window without a model", () => {
  it("keeps the message, takes the address of a server, and sends it", async () => {
    server = await startModelServer({ flavour: "llamacpp", scenario });
    window = open();
    await window.waitFor("› Enter an API key");
    window.type("fix the parser");
    await window.waitFor("fix the parser");
    window.press("enter");
    await window.waitFor("Your message stays in the input");
    window.press("down", "down", "down");
    await window.waitFor("› Address of a server");
    window.press("enter");
    await window.waitFor("Address:");
    window.type(`${server.url}\r`);
    await window.waitFor("Fixed, all green.");
    const kept: unknown = JSON.parse(readFileSync(join(place.home, "settings.json"), "utf8"));
    expect(kept).toMatchObject({ llamacpp_url: `${server.url}/v1`, provider: "llamacpp", model: "qwen3" });
  });

  it("notices a server that comes up, and sends what waits", async () => {
    const port = await freePort();
    window = open({ ollama_url: `127.0.0.1:${port}` });
    await window.waitFor("› Enter an API key");
    window.type("fix the parser");
    await window.waitFor("fix the parser");
    window.press("enter");
    await window.waitFor("Your message stays in the input");
    window.press("escape");
    await window.waitFor("fix the parser");
    server = await startModelServer({ flavour: "ollama", scenario, port });
    await window.waitFor("Fixed, all green.");
    expect(server.chatRequests.length).toBeGreaterThan(0);
  });
});
