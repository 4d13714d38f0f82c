import { call, calling, MemorySession, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { LogWriteError } from "../../ports/session-log.ts";
import { builtInSteps } from "../built-in-steps.ts";
import type { Turn } from "../turn/turn.ts";
import { NO_CALL_STEPS } from "./call-steps.ts";
import { followStages, type Step, type StepOf, stageTable } from "./stage.ts";
import { EMPTY_DRAFT, type StageName, type StageState, type Transition } from "./stage-value.ts";

type Trace = string[];
const START: Transition = { agentId: "main", nextState: "start" };
const toAssemble: Transition = { ...EMPTY_DRAFT, nextState: "assemble" };
const toDone: Transition = { end: { stopReason: "loop" }, output: "bye", nextState: "done" };
const toError: Transition = { error: { kind: "config", message: "no key" }, nextState: "error" };

/** A step that leaves a trace and goes on to `next`, or passes on its input. */
function step<S extends StageName>(stage: S, name: string, next?: Transition): StepOf<S, Trace> {
  return {
    stage,
    name,
    run: (state, trace) => {
      trace.push(`${stage}/${name}`);
      return next ?? state;
    },
  };
}

function failing<S extends StageName>(stage: S, error: Error): StepOf<S, Trace> {
  return {
    stage,
    name: "20-fail",
    run: () => {
      throw error;
    },
  };
}

async function follow(steps: Step<Trace>[], report: (error: unknown, where: string) => void = () => undefined) {
  const trace: Trace = [];
  const end = await followStages(() => stageTable(steps), START, trace, report);
  return { trace, end };
}

describe("stages", () => {
  it("stages run their steps sorted by name and go where the last one says", async () => {
    const { trace } = await follow([
      step("assemble", "30-c", toDone),
      step("assemble", "10-a"),
      step("start", "10-init", toAssemble),
      step("assemble", "20-b"),
      step("done", "10-x"),
    ]);
    expect(trace).toEqual(["start/10-init", "assemble/10-a", "assemble/20-b", "assemble/30-c", "done/10-x"]);
  });

  it("stages begin with the value that the stage before named, and the last one decides how the turn ends", async () => {
    const seen: StageState<"done">[] = [];
    const look: StepOf<"done", Trace> = {
      stage: "done",
      name: "10-look",
      run: (state) => {
        seen.push(state);
        return state;
      },
    };
    const { end } = await follow([step("start", "10-a", toDone), look]);
    expect(seen).toEqual([{ end: { stopReason: "loop" }, output: "bye" }]);
    expect(end).toEqual({ stopReason: "loop", output: "bye" });
  });

  it("stages end the turn in order where no step names another stage, and with the error in the stage `error`", async () => {
    expect((await follow([])).end).toEqual({ stopReason: "end_turn" });
    const failed = await follow([step("start", "10-a", toError)]);
    expect(failed.end).toEqual({ stopReason: "error", error: { kind: "config", message: "no key" } });
  });

  it("stages take a later step of the same name instead of an earlier one", async () => {
    const { trace } = await follow([
      step("start", "10-a", toDone),
      step("start", "10-a", toError),
      step("done", "1"),
      step("error", "2"),
    ]);
    expect(trace).toEqual(["start/10-a", "error/2"]);
  });

  it("stages go to error when a step throws, and end when one throws there", async () => {
    const reports: string[] = [];
    const { trace, end } = await follow(
      [failing("start", new Error("start")), step("error", "10-look"), failing("error", new Error("error"))],
      (error, where) => reports.push(`${where}: ${error}`),
    );
    expect(reports).toEqual(["stage start: Error: start", "stage error: Error: error"]);
    expect(trace).toEqual(["error/10-look"]);
    expect(end).toEqual({
      stopReason: "error",
      error: { kind: "internal", message: expect.stringContaining("stage `start`") },
    });
  });

  it("stages let a failure of the log out at once", async () => {
    const steps = [failing("start", new LogWriteError("disk full")), step("error", "10-x")];
    await expect(follow(steps)).rejects.toThrow("disk full");
  });
});

describe("the built-in steps", () => {
  it("the built-in steps have the names of the hook contract, beside those of goals", () => {
    expect(builtInSteps.map(({ stage, name }) => `${stage}/${name}`)).toEqual([
      "start/10-init",
      "assemble/02-goal",
      "assemble/10-messages",
      "assemble/20-tools",
      "assemble/30-prompts",
      "assemble/35-skills",
      "send/10-send",
      "receive/10-save",
      "tool_exec/10-exec",
      "tool_done/10-save",
      "done/50-goal",
    ]);
  });

  it("the built-in steps leave room for others, between them and in their place", async () => {
    const path: string[] = [];
    const watching = <S extends StageName>(stage: S): StepOf<S, Turn> => ({
      stage,
      name: "99-watch",
      run: (state) => {
        path.push(stage);
        return state;
      },
    });
    const watch: Step<Turn>[] = [
      watching("start"),
      watching("assemble"),
      watching("send"),
      watching("receive"),
      watching("tool_exec"),
      watching("tool_done"),
      watching("done"),
    ];
    const rewrite: StepOf<"assemble", Turn> = {
      stage: "assemble",
      name: "40-own",
      run: (state) => (state.nextState === "send" ? { ...state, system: `${state.system}\nAnswer in rhymes.` } : state),
    };
    const memory = new MemorySession({
      script: [calling(call("a", "read", { file_path: "x" })), saying("done")],
      steps: [...watch, rewrite],
    });
    await memory.say("go");
    expect(path.join(" ")).toBe("start assemble send receive tool_exec tool_done assemble send receive done");
    expect(memory.provider.requests[0]?.system).toMatch(/Answer in rhymes\.$/);
  });

  it("the built-in steps are joined before the next request by those that turn up, and by nothing in between", async () => {
    const seen: string[] = [];
    const late: StepOf<"tool_exec", Turn> = {
      stage: "tool_exec",
      name: "05-late",
      run: (state) => {
        seen.push("tool_exec");
        return state;
      },
    };
    const [none, some]: Step<Turn>[][] = [[], [late]];
    let steps = none;
    const memory = new MemorySession({
      script: (request) => {
        // Appears while the reply arrives: this reply's calls have been handled without it.
        if (request.messages.length === 1) steps = some;
        return request.messages.length < 4
          ? calling(call(`c${request.messages.length}`, "read", { file_path: "x" }))
          : saying("done");
      },
      extensions: { steps: () => steps ?? [], callSteps: () => NO_CALL_STEPS, gateHooks: () => [] },
    });
    await memory.say("go");
    expect(memory.provider.requests).toHaveLength(3);
    expect(seen).toEqual(["tool_exec"]);
  });

  it("the built-in steps end a turn whose step throws, with every call answered", async () => {
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
