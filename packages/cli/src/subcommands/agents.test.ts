import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ProcessEnd, TestHome } from "../../test/harness-process.ts";
import { runInProcess } from "../../test/in-process.ts";

let server: ModelServer;
let place: TestHome;

beforeAll(async () => {
  server = await startModelServer({ scenario: { turns: [] } });
  place = new TestHome(server.environment);
  put("reviewer", "description: Reviews changes.\ntools: Read, Teleport\nmax_turns: 5", "You review strictly.");
  put("broken", "name: x", "");
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

function put(name: string, fields: string, prompt: string): void {
  const folder = join(place.home, "agents");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.md`), `---\n${fields}\n---\n${prompt}\n`);
}

const at = (...args: string[]): Promise<ProcessEnd> => runInProcess(place, args);

describe("harness agents", () => {
  it("harness agents list shows the named agents, and says what does not count", async () => {
    const { code, stdout, stderr } = await at("agents", "list");
    expect([code, stdout]).toEqual([
      0,
      "AGENT     FROM  TOOLS          DESCRIPTION\nreviewer  you   Read Teleport  Reviews changes.\n",
    ]);
    expect(stderr).toMatch(/broken\.md is not used: it has no description/);
    expect(stderr).toContain("harness: reviewer: there is no tool Teleport.\n");
    expect(JSON.parse((await at("agents", "list", "--json")).stdout)).toMatchObject({ agents: [{ name: "reviewer" }] });
  });

  it("harness agents show prints what the file says, and its prompt", async () => {
    const { code, stdout } = await at("agents", "show", "Reviewer");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^name +reviewer$/m);
    expect(stdout).toMatch(/^limits +5 turns$/m);
    expect(stdout.endsWith("\n\nYou review strictly.\n")).toBe(true);
    const unknown = await at("agents", "show", "nobody");
    expect([unknown.code, unknown.stdout]).toEqual([7, ""]);
    expect(unknown.stderr).toContain('There is no agent "nobody". Available: reviewer.');
  });

  it("harness agents test has the agent do a task once, with its prompt and tools, and says what it took", async () => {
    server.setScenario({ turns: [turns.call("read", { file_path: "none" }), turns.say("All is well.")] });
    const { code, stdout, stderr } = await place.run(["agents", "test", "reviewer", "look", "at", "it"]);
    expect([code, stdout]).toEqual([0, "All is well.\n"]);
    expect(stderr).toMatch(/^harness: Tools: read · 2 requests · [\d,]+ tokens · free · [\d.]+ s$/m);
    const body = JSON.stringify(server.chatRequests.at(-1)?.body);
    expect(body).toContain("You review strictly.");
    expect(body).toContain("look at it");
    expect(body).not.toContain('"name":"bash"');
    expect((await place.run(["agents", "test", "nobody"])).stderr).toContain(
      'There is no agent "nobody". Available: reviewer.',
    );
  });

  it("harness run --agent lets a named agent do the work, which ends with its budget", async () => {
    server.setScenario({ turns: [turns.call("read", { file_path: "none" }, { repeat: "always" })] });
    put("short", "description: Short.\nlimits:\n  turns: 2", "You are quick.");
    const { code, stderr } = await place.run(["run", "--agent", "short", "--ephemeral", "go"]);
    expect(code).toBe(5);
    expect(stderr).toContain("The agent used up its budget of 2 requests.");
  });
});
