// Things of other programs are named once, wherever a person starts first.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { TestHome } from "../../packages/cli/test/harness-process.ts";

let server: ModelServer;
let place: TestHome;

beforeAll(async () => {
  server = await startModelServer({ scenario: { turns: [turns.say("Hello there.", { repeat: "always" })] } });
  place = new TestHome(server.environment);
  const left = join(place.root, ".config", "tinyharness", "settings.json");
  mkdirSync(dirname(left), { recursive: true });
  writeFileSync(left, JSON.stringify({ show_thinking: true }));
});
afterAll(async () => {
  await server.close();
  place.remove();
});
afterEach(() => rmSync(place.home, { recursive: true, force: true }));

const OFFER = "harness import takes over the settings and sessions of TinyHarness.";

it("in a run, on stderr after the answer; --quiet leaves it to the next one", async () => {
  const quiet = await place.run(["run", "--quiet", "hi"]);
  expect(quiet).toMatchObject({ code: 0, stdout: "Hello there.\n" });
  expect(quiet.stderr).not.toContain("import");
  const first = await place.run(["run", "hi"]);
  expect(first.stdout).toBe("Hello there.\n");
  expect(first.stderr).toContain(`harness: ${OFFER}`);
  expect((await place.run(["run", "hi"])).stderr).not.toContain("import");
});

it("in plain lines, before the first message", async () => {
  const first = await place.run(["repl"], { stdin: "quit\n" });
  expect(first.stdout).toContain(OFFER);
  expect((await place.run(["repl"], { stdin: "quit\n" })).stdout).not.toContain("import");
});
