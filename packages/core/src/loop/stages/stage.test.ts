import { call, calling, MemorySession, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { LogWriteError } from "../../ports/session-log.ts";
import { builtInSteps } from "../built-in-steps.ts";
import type { Turn } from "../turn/turn.ts";
import { followStages, type StageName, type StageValue, type Step, stageTable } from "./stage.ts";

type Trace = string[];
const step = (stage: StageName, name: string, out: StageValue = {}): Step<Trace> => ({
  stage,
  name,
  run: (value, trace) => {
    trace.push(`${stage}/${name}`);
    return { ...value, ...out };
  },
});
const ignore = () => undefined;
/** A step that notes the values it sees. */
const looking = (stage: StageName, seen: StageValue[]): Step<Trace> => ({
  stage,
  name: "10-look",
  run: (value) => {
    seen.push(value);
    return value;
  },
});

async function follow(steps: Step<Trace>[]): Promise<Trace> {
  const trace: Trace = [];
  await followStages(stageTable(steps), trace, ignore);
  return trace;
}

describe("stages", () => {
  it("run their steps sorted by name and go where the last one says", async () => {
    const steps = [
      step("assemble", "30-c", { nextState: "done" }),
      step("assemble", "10-a"),
      step("start", "10-init", { nextState: "assemble" }),
      step("assemble", "20-b"),
      step("done", "10-x"),
    ];
    expect(await follow(steps)).toEqual([
      "start/10-init",
      "assemble/10-a",
      "assemble/20-b",
      "assemble/30-c",
      "done/10-x",
    ]);
  });

  it("hand the value on from stage to stage, without the way it took", async () => {
    const seen: StageValue[] = [];
    await follow([step("start", "10-a", { model: "m", nextState: "done" }), looking("done", seen)]);
    expect(seen).toEqual([{ model: "m" }]);
  });

  it("take a later step of the same name instead of an earlier one", async () => {
    const steps = [step("start", "10-a", { nextState: "done" }), step("start", "10-a", { nextState: "error" })];
    expect(await follow([...steps, step("done", "1"), step("error", "2")])).toEqual(["start/10-a", "error/2"]);
  });

  it("go to error when a step throws, and end when one throws there", async () => {
    const fails = (stage: StageName): Step<Trace> => ({
      stage,
      name: "20-fail",
      run: () => {
        throw new Error(stage);
      },
    });
    const reports: string[] = [];
    const values: StageValue[] = [];
    await followStages(stageTable([fails("start"), looking("error", values), fails("error")]), [], (error, where) => {
      reports.push(`${where}: ${error}`);
    });
    expect(reports).toEqual(["stage start: Error: start", "stage error: Error: error"]);
    expect(values).toEqual([{ error: { kind: "internal", message: expect.stringContaining("stage `start`") } }]);
  });

  it("let a failure of the log out at once", async () => {
    const full: Step<Trace> = {
      stage: "start",
      name: "10-a",
      run: () => {
        throw new LogWriteError("disk full");
      },
    };
    await expect(follow([full, step("error", "10-x")])).rejects.toThrow("disk full");
  });
});

describe("the built-in steps", () => {
  it("have the names of the third seed", () => {
    expect(builtInSteps.map(({ stage, name }) => `${stage}/${name}`)).toEqual([
      "start/10-init",
      "assemble/10-messages",
      "assemble/20-tools",
      "assemble/30-prompts",
      "send/10-send",
      "receive/10-save",
      "tool_exec/10-exec",
      "tool_done/10-save",
      "error/10-display",
    ]);
  });

  it("leave room for others, between them and in their place", async () => {
    const path: string[] = [];
    const watch: Step<Turn>[] = (
      ["start", "assemble", "send", "receive", "tool_exec", "tool_done", "done"] as const
    ).map((stage) => ({
      stage,
      name: "99-watch",
      run: (value) => {
        path.push(stage);
        return value;
      },
    }));
    const rewrite: Step<Turn> = {
      stage: "assemble",
      name: "40-own",
      run: (value) => ({ ...value, system: `${value.system}\nAnswer in rhymes.` }),
    };
    const memory = new MemorySession({
      script: [calling(call("a", "read", { file_path: "x" })), saying("done")],
      steps: [...watch, rewrite],
    });
    await memory.say("go");
    expect(path.join(" ")).toBe("start assemble send receive tool_exec tool_done assemble send receive done");
    expect(memory.provider.requests[0]?.system).toMatch(/Answer in rhymes\.$/);
  });

  it("end a turn whose step throws, with every call answered", async () => {
    const broken: Step<Turn> = {
      stage: "tool_exec",
      name: "10-exec",
      run: () => {
        throw new Error("broken hook");
      },
    };
    const memory = new MemorySession({ script: [calling(call("a", "read", { file_path: "x" }))], steps: [broken] });
    await memory.say("go");
    const { live, folded } = memory.states;
    expect(live).toEqual(folded);
    expect(live.agents.get("main")).toMatchObject({
      state: "idle",
      stopReason: "error",
      error: { kind: "internal", message: expect.stringContaining("`tool_exec`") },
    });
    expect(memory.facts("tool_call_update")).toMatchObject([{ toolCallId: "a", outcome: { status: "error" } }]);
    expect(memory.ports.reports).toMatchObject([{ where: "stage tool_exec" }]);
  });
});
