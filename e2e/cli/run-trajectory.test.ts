// `harness run --trajectory`: each file fits the published schema, whatever happened in the run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startSubagentCall as start, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestHome } from "../../packages/cli/test/harness-process.ts";
import { AtifTrajectory } from "../../packages/storage/test/atif-schema.ts";

let server: ModelServer;
let place: TestHome;

beforeAll(async () => {
  const status = { kind: "status" as const, times: "always" as const };
  server = await startModelServer({
    scenario: {
      lanes: [
        { match: { lastUser: "this is refused" }, turns: [turns.fail({ ...status, status: 400 })] },
        {
          match: "the part",
          turns: [turns.call("bash", { command: "echo inside" }), turns.say("The part is done.", { repeat: "always" })],
        },
        { match: "part that fails", turns: [turns.fail({ ...status, status: 400 })] },
      ],
      turns: [
        {
          ...turns.calls([start("the part"), start("part that fails")], { thinking: "Two at once." }),
          text: "I share it.",
        },
        turns.calls([
          ["bash", { command: "cat missing.txt" }],
          ["no_such_tool", {}],
        ]),
        turns.say("All is back."),
        turns.say("The work was shared, and came back.", { repeat: "always" }),
      ],
    },
  });
  place = new TestHome(server.environment);
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

async function trajectoryOf(...args: string[]) {
  const { code, stderr } = await place.run(["run", "--allow", "bash", "--trajectory", "run.json", ...args]);
  const written: unknown = JSON.parse(readFileSync(join(place.cwd, "run.json"), "utf8"));
  return { code, stderr, trajectory: AtifTrajectory.parse(written) };
}

it("is valid with subagents and failed calls, after a compaction, and after a turn that failed", async () => {
  const { code, trajectory } = await trajectoryOf("share the work");
  expect(code).toBe(0);
  expect(trajectory.subagent_trajectories).toHaveLength(2);
  const text = JSON.stringify(trajectory);
  for (const part of [
    "Two at once.",
    "cat missing.txt",
    "No such file",
    "no_such_tool",
    "The part is done.",
    "All is back.",
  ])
    expect(text).toContain(part);

  expect(await place.run(["run", "--continue", "/compact"])).toMatchObject({ code: 0 });
  const compacted = await trajectoryOf("--continue", "and now?");
  expect(compacted).toMatchObject({ code: 0 });
  expect(compacted.trajectory.steps.length).toBeGreaterThan(trajectory.steps.length);
  expect(JSON.stringify(compacted.trajectory)).toContain("All is back.");

  const failed = await trajectoryOf("--continue", "this is refused");
  expect(failed.code).not.toBe(0);
  expect(JSON.stringify(failed.trajectory)).toContain("this is refused");
}, 120_000);
