import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { openTerminal } from "@harness/testkit/terminal";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestHome } from "../../packages/cli/test/harness-process.ts";

const launcher = join(import.meta.dirname, "../../bin/harness");
let server: ModelServer;
let place: TestHome;

/** The server stops in the middle of the last message until it is released. */
beforeAll(async () => {
  const answer = {
    ...turns.say("The first half. The second half."),
    chunk: { size: 8, delayMs: 0 },
    fault: { kind: "hang" as const, afterEvents: 3 },
  };
  const look = { ...turns.call("bash", { command: "echo looked" }), text: "I look first." };
  const lane = { match: "work", perConversation: true, turns: [look, answer] };
  server = await startModelServer({ scenario: { lanes: [lane], turns: [turns.say("No.", { repeat: "always" })] } });
  place = new TestHome(server.environment);
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

describe("messages as they come", () => {
  it("are on the terminal before the model has ended, each once, between the steps", async () => {
    const { PATH, HOME, ...env } = place.env as Record<string, string>;
    const given = { ...env, HOME: HOME ?? "" };
    const args = ["run", "--allow", "bash", "work on a terminal"];
    const terminal = openTerminal({ command: launcher, args, cwd: place.cwd, env: given, cols: 200 });
    await terminal.waitFor("The first half.");
    expect(terminal.screen().join("\n")).not.toContain("second half");
    server.release();
    expect(await terminal.exit).toMatchObject({ code: 0 });
    const rows = terminal.screen().filter((row) => row !== "" && !row.startsWith("harness:"));
    expect(rows).toEqual([
      "I look first.",
      expect.stringMatching(/^● .*echo/),
      "  ✓ looked",
      "The first half. The second half.",
    ]);
  });

  it("are in a pipe with HARNESS_STREAM=1, and else the last one alone", async () => {
    const run = place.start(["run", "--allow", "bash", "work in a pipe"], { env: { HARNESS_STREAM: "1" } });
    await run.says("stdout", "The first half.");
    expect(run.stdout).not.toContain("second half");
    server.release();
    expect(await run.ended).toMatchObject({ code: 0, stdout: "I look first.\n\nThe first half. The second half.\n" });
    const plain = place.start(["run", "--allow", "bash", "work as ever"]);
    await server.hanging();
    server.release();
    expect((await plain.ended).stdout).toBe("The first half. The second half.\n");
  });
});
