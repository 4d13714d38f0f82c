import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionUpdate } from "@harness/protocol";
import {
  type ModelServer,
  type ScenarioInput,
  siblingReplies,
  startSubagentCall as start,
  startModelServer,
  turns,
  untilFile,
} from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Line, linesOf, resultOf, TestHome } from "../../packages/cli/test/harness-process.ts";

// Unattended runs whose agents start others and write to each other.

type Script = ScenarioInput["turns"] & object[];

const [taskOne, taskTwo] = siblingReplies((file, content) =>
  turns.call("bash", { command: `printf ${content} > ${file}` }),
);
const lane = (match: string, ...script: Script) => ({ match, turns: script, perConversation: true });

let server: ModelServer;
let place: TestHome;

beforeAll(async () => {
  server = await startModelServer({
    scenario: {
      lanes: [
        lane("task one", ...taskOne),
        lane("task two", ...taskTwo),
        // All run until the ninth was refused.
        lane("part that fails", untilFile("go"), turns.fail({ kind: "status", status: 400, times: "always" })),
        lane("part that talks", untilFile("go"), turns.call("read", { file_path: "x" }, { repeat: "always" })),
        lane("part", untilFile("go"), turns.say("done")),
        lane(
          "siblings",
          // One after the other: the order of two calls in a reply is not defined.
          turns.calls([start("task one")]),
          turns.calls([start("task two")]),
          turns.call("bash", {
            command: "until [ -s a.txt ] && [ -s b.txt ]; do sleep 0.02; done; cat a.txt b.txt > all.txt",
          }),
          turns.say("merged", { repeat: "always" }),
        ),
        lane("job", { ...untilFile("never"), repeat: "always" }),
        lane(
          "leave behind",
          turns.calls([start("job one", { background: true }), start("job two", { background: true })]),
          turns.say("both are at work", { repeat: "always" }),
        ),
        lane(
          "fan out",
          turns.calls([
            start("part that fails"),
            start("part that talks", { budget: { turns: 2 } }),
            ...Array.from({ length: 7 }, (_, n) => start(`part ${n}`)),
          ]),
          turns.call("bash", { command: "touch go" }),
          turns.say("all are back", { repeat: "always" }),
        ),
      ],
    },
  });
  place = new TestHome(server.environment);
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

async function run(text: string): Promise<{ lines: Line[]; updates: SessionUpdate[]; result: Line }> {
  const { code, stdout } = await place.run(["run", "--json", "--allow", "bash", text]);
  expect(code).toBe(0);
  const lines = linesOf(stdout);
  const updates = lines.filter(({ type }) => type === "update") as unknown as SessionUpdate[];
  const result = lines.at(-1);
  if (!result) throw new Error("There is no result.");
  return { lines, updates, result };
}

describe("a run whose agents work together", () => {
  it("is two siblings that exchange five messages and merge their work; every update says whose it is", async () => {
    const { updates, result } = await run("siblings");
    expect(readFileSync(join(place.cwd, "all.txt"), "utf8")).toBe("AB");
    expect(updates.every(({ agentId }) => typeof agentId === "string")).toBe(true);
    const states = updates.flatMap(({ agentId, update }) =>
      agentId !== "main" && update.sessionUpdate === "inbox_update" ? [update.state] : [],
    );
    expect(states.filter((state) => state === "queued")).toHaveLength(5);
    expect(states.filter((state) => state === "read")).toHaveLength(5);
    expect(result).toMatchObject({
      result: "merged",
      agents: [
        { agentId: "agent-1", parentAgentId: "main", state: "completed", output: "a.txt has A" },
        { agentId: "agent-2", parentAgentId: "main", state: "completed", output: "b.txt has B" },
      ],
    });
  });

  it("is a fan-out of eight, where one fails and one exceeds its budget; a ninth is refused", async () => {
    const { result, updates } = await run("fan out");
    const agents = result.agents as { task: string; state: string; output: string }[];
    expect(agents).toHaveLength(8);
    const of = (task: string) => agents.find((each) => each.task === task);
    expect(of("part that fails")).toMatchObject({ state: "failed" });
    expect(of("part that talks")).toMatchObject({ state: "failed", output: expect.stringMatching(/budget/) });
    expect(agents.filter(({ state }) => state === "completed")).toHaveLength(6);
    const told = updates.flatMap(({ agentId, update }) =>
      agentId === "main" && update.sessionUpdate === "user_message" && update.origin === "subagent" ? [update] : [],
    );
    expect(new Set(told.map(({ fromAgentId }) => fromAgentId)).size).toBe(8);
    expect(JSON.stringify(updates)).toContain("8 subagents are already running");
  });

  it("stops agents in the background with the turn of the main agent: its note names them, its result has them as cancelled", async () => {
    const args = ["run", "--output-format", "json", "--allow", "bash"];
    const loud = await place.run([...args, "leave behind"]);
    expect(loud.stderr).toBe(
      "harness: Stopped at the end of the run: agent-1 and agent-2, still running in the background.\n",
    );
    const cancelled = { state: "cancelled", background: true };
    expect(resultOf(loud)).toMatchObject({ result: "both are at work", exitCode: 0, agents: [cancelled, cancelled] });
    const quiet = await place.run([...args, "--quiet", "leave behind quietly"]);
    expect(quiet.stderr).toBe("");
    expect(resultOf(quiet)).toMatchObject({ agents: [cancelled, cancelled] });
  });
});
