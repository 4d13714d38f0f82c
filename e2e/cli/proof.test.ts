import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type ModelServer, type ScenarioInput, startModelServer, writeBrokenProject } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linesOf, TestHome } from "../../packages/cli/test/harness-process.ts";

const scenario = JSON.parse(
  readFileSync(new URL("../../packages/testkit/src/model-server/scenarios/fix-the-test.json", import.meta.url), "utf8"),
) as ScenarioInput;

type Body = { model: string; messages: { role: string; content: string; tool_call_id?: string }[]; tools: object[] };
type ToolCallUpdate = { title?: string; outcome?: { status: string; text: string; blocks: Record<string, unknown>[] } };

let place: TestHome;
let server: ModelServer;
beforeAll(async () => {
  place = new TestHome();
  server = await startModelServer({ scenario, variables: { cwd: place.cwd } });
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

describe("harness run, from a red test to a green one", () => {
  it("reads, edits and runs the test in a real repository until it passes", async () => {
    const { sourceFile } = await writeBrokenProject(place.cwd);
    const rules = ["--allow", "edit", "--allow", "bash(npm test)"];
    const { code, stdout, stderr } = await place.run(["run", "--json", ...rules, "Fix the failing test."], {
      env: server.environment,
    });
    expect([code, stderr]).toEqual([0, ""]);
    const lines = linesOf(stdout);
    expect(lines.at(-1)).toMatchObject({
      subtype: "success",
      turns: 7,
      filesChanged: [sourceFile],
      permissionDenials: [],
      result: expect.stringContaining("The tests are green."),
    });

    // The test really ran, twice, by the tool: first red, then green.
    const calls = lines.map(({ update }) => update as ToolCallUpdate).filter((update) => update?.outcome);
    const runs = calls.flatMap(({ outcome }) => outcome?.blocks.filter(({ type }) => type === "terminal") ?? []);
    expect(runs).toMatchObject([
      { command: "npm test", exitCode: 1, output: expect.stringContaining("fail 1") },
      { command: "npm test", exitCode: 0, output: expect.stringContaining("fail 0") },
    ]);
    const edits = calls.flatMap(({ outcome }) => outcome?.blocks.filter(({ type }) => type === "diff") ?? []);
    expect(edits).toMatchObject([
      { path: sourceFile, change: "modify", added: 1, removed: 1 },
      { path: sourceFile, change: "modify", added: 2, removed: 2 },
    ]);

    // The result can be verified independently.
    const sh = (command: string) => execFileSync("sh", ["-c", command], { cwd: place.cwd, encoding: "utf8" });
    expect(sh("git status --porcelain")).toBe(" M src/sum.js\n");
    expect(sh("git diff --unified=0 | grep '^[+-] '")).toBe(
      [
        "-  let total = 1;",
        "-  for (let i = 0; i < numbers.length - 1; i += 1) {",
        "-    total += numbers[i];",
        "+  let total = 0;",
        "+  for (const number of numbers) {",
        "+    total += number;",
        "",
      ].join("\n"),
    );
    expect(sh("node --test 2>&1")).toContain("fail 0");
  });

  it("sends one request per reply, each beginning with the whole previous one", () => {
    expect(server.problems).toEqual([]);
    const bodies = server.chatRequests.map(({ body }) => body as Body);
    expect(bodies).toHaveLength(7);
    for (const [n, { messages, tools, model }] of bodies.entries()) {
      const before = bodies[n - 1];
      if (!before) continue;
      expect(JSON.stringify(messages).startsWith(JSON.stringify(before.messages).slice(0, -1))).toBe(true);
      expect(JSON.stringify(tools)).toBe(JSON.stringify(before.tools));
      expect(model).toBe(before.model);
    }
    const [first] = bodies;
    expect(first?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(first?.messages[0]?.content).toContain(place.cwd);
    const results = bodies.at(-1)?.messages.filter(({ role }) => role === "tool") ?? [];
    expect(new Set(results.map(({ tool_call_id }) => tool_call_id)).size).toBe(6);
  });

  it("sends less than 6 kB before the project's own text", () => {
    expect(server.chatRequests[0]?.bodyBytes).toBeLessThan(6_000);
  });
});
