import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { type OpenTerminal, openTerminal } from "@harness/testkit/terminal";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestHome } from "../../packages/cli/test/harness-process.ts";

const launcher = join(import.meta.dirname, "../../bin/harness");
let server: ModelServer;
let place: TestHome;

beforeAll(async () => {
  const lane = (match: string) => ({
    match,
    perConversation: true,
    turns: [
      turns.call("bash", { command: "printf 'one\\ntwo\\n'" }),
      turns.call("write", { path: "a.txt", content: "x\n" }),
      turns.say("All done."),
    ],
  });
  server = await startModelServer({
    scenario: { lanes: [lane("work")], turns: [turns.say("No.", { repeat: "always" })] },
  });
  place = new TestHome(server.environment);
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

function onTerminal(...args: string[]): OpenTerminal {
  const { PATH, HOME, ...env } = place.env as Record<string, string>;
  return openTerminal({
    command: launcher,
    args: ["run", ...args],
    cwd: place.cwd,
    env: { ...env, HOME: HOME ?? "" },
    cols: 200,
  });
}

describe("the steps of a run", () => {
  it("are shown on a terminal as they happen, with their results, before the answer", async () => {
    const terminal = onTerminal("--allow", "bash", "work");
    expect(await terminal.exit).toMatchObject({ code: 0 });
    const rows = terminal.screen().filter((row) => row !== "");
    const steps = rows.filter((row) => !row.startsWith("harness:"));
    // Durations are shown from one second on, which a loaded machine may need.
    expect(steps.map((row) => row.replace(/[\d.]+ s · /, ""))).toEqual([
      expect.stringMatching(/^● .*printf/),
      "  ✓ 2 lines",
      expect.stringMatching(/^● .*a\.txt/),
      "  – denied",
      "All done.",
    ]);
  });

  it("are followed by the session and how to continue it, for who watches or asked for more", async () => {
    const terminal = onTerminal("--allow", "bash", "work to go on with");
    await terminal.exit;
    const shown = terminal.screen().join("\n");
    const told = /^harness: Session (\S+)\. Continue with: harness -r \1, or harness run -r \1 "…"$/m;
    expect(shown.trimEnd()).toMatch(told);
    expect(shown.trimEnd()).toMatch(/All done\.\nharness: Session .*$/);
    expect((await place.run(["run", "-v", "hi"])).stderr).toMatch(told);
    for (const more of [["-q"], ["--ephemeral"]]) {
      const silent = onTerminal(...more, "hi");
      await silent.exit;
      expect(silent.screen().join("\n")).not.toContain("Continue with");
    }
    expect((await place.run(["run", "work in a pipe"])).stderr).not.toContain("Continue with");
  });

  it("are not printed where nobody watches, nor with --quiet", async () => {
    const { stderr, stdout } = await place.run(["run", "--allow", "bash", "work elsewhere"]);
    expect(stdout).toBe("All done.\n");
    expect(stderr).not.toContain("●");
    const quiet = onTerminal("-q", "--allow", "bash", "work in silence");
    await quiet.exit;
    expect(quiet.screen().filter((row) => row !== "")).toEqual(["All done."]);
  });
});
