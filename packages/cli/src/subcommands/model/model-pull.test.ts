import { mkdirSync } from "node:fs";
import { type ModelServer, startModelServer } from "@harness/testkit";
import { openTerminal } from "@harness/testkit/terminal";
import { afterAll, beforeAll, expect, it } from "vitest";
import { harnessEntry, TestHome } from "../../../test/harness-process.ts";
import { runInProcess } from "../../../test/in-process.ts";

let ollama: ModelServer;
let place: TestHome;

beforeAll(async () => {
  const library = [{ id: "coder:latest" }, { id: "slow:latest", pull: { hangs: true } }];
  ollama = await startModelServer({ flavour: "ollama", scenario: { models: [], library } });
  place = new TestHome({ HARNESS_MODEL: "", OLLAMA_HOST: ollama.url });
  mkdirSync(place.home, { recursive: true });
});
afterAll(async () => {
  await ollama?.close();
  place?.remove();
});

it("downloads a model, and says how to use it", async () => {
  const { code, stdout, stderr } = await runInProcess(place, ["model", "pull", "ollama/coder"]);
  expect([code, stdout]).toEqual([0, "coder:latest is installed. Use it with: harness -m ollama/coder:latest\n"]);
  expect(stderr).toContain("coder: 50% of 4.7 GB\n");
});

it("says what the server said", async () => {
  const { code, stderr } = await runInProcess(place, ["model", "pull", "nosuch"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("pull model manifest: file does not exist")]);
});

it("on a terminal writes one line over, and Ctrl+C stops the download", async () => {
  const { PATH, ...env } = place.env as Record<string, string>;
  const args = [harnessEntry, "model", "pull", "slow"];
  const terminal = openTerminal({ command: process.execPath, args, cwd: place.cwd, env });
  await terminal.waitFor("slow: 50% of 4.7 GB");
  terminal.press("ctrl+c");
  await ollama.idle();
  expect(ollama.requests.findLast(({ path }) => path === "/api/pull")).toMatchObject({ aborted: true });
  await terminal.close();
});

it("says that no server is there", async () => {
  const gone = new TestHome({ HARNESS_MODEL: "", OLLAMA_HOST: "http://127.0.0.1:1" });
  const { code, stderr } = await runInProcess(gone, ["model", "pull", "coder"]);
  gone.remove();
  expect([code, stderr]).toEqual([3, expect.stringContaining("No server that can download models")]);
});
