import { call, calling, MemorySession, probeTool, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { CallSteps } from "../stages/call-steps.ts";
import { type Step, StepError, type StepOf } from "../stages/stage.ts";
import type { Turn } from "../turn/turn.ts";

const NONE: CallSteps<Turn> = { exec: undefined, afterRun: [], beforeSave: [] };
const steps: Step<Turn>[] = [];

function session(calls: Partial<CallSteps<Turn>>, more = steps, options = {}) {
  const ran: unknown[] = [];
  const tool = probeTool("read", (args) => {
    ran.push(args);
    return { status: "ok", text: "secret 42", blocks: [{ type: "text", text: "secret 42" }] };
  });
  const memory = new MemorySession({
    script: [calling(call("a", "read", { file_path: "x" })), saying("done")],
    tools: [tool],
    options,
    extensions: { steps: () => more, callSteps: () => ({ ...NONE, ...calls }), gateHooks: () => [] },
  });
  return { memory, ran };
}
const outcomes = (memory: MemorySession) => memory.facts("tool_call_update").flatMap(({ outcome }) => outcome ?? []);

describe("steps of single calls", () => {
  it("steps of single calls change a result before anything of it is stored", async () => {
    const { memory } = session({
      afterRun: [async (result) => ({ ...result, text: result.text.replace("42", "…") })],
      beforeSave: [async (result) => ({ ...result, text: `${result.text}!` })],
    });
    await memory.say("go");
    expect(outcomes(memory)).toMatchObject([
      { status: "ok", text: "secret …!", blocks: [{ text: "secret …" }, { text: "!" }] },
    ]);
    expect(JSON.stringify(memory.log.facts)).not.toContain("secret 42");
    expect(memory.provider.requests).toHaveLength(2);
  });

  it("steps of single calls that fail after a run take the place of its result, and the turn goes on", async () => {
    const fail = async () => {
      throw new StepError("20-redact has failed");
    };
    const { memory } = session({ afterRun: [fail] });
    await memory.say("go");
    expect(outcomes(memory)).toMatchObject([{ status: "error", text: "20-redact has failed" }]);
    expect(JSON.stringify(memory.log.facts)).not.toContain("secret 42");
    expect(memory.provider.requests).toHaveLength(2);
  });

  it("steps of single calls that fail before a result is saved end the turn with their words", async () => {
    const fail = async () => {
      throw new StepError("05-note has failed");
    };
    const { memory } = session({ beforeSave: [fail] });
    await memory.say("go");
    expect(outcomes(memory)).toMatchObject([{ status: "error", text: "05-note has failed" }]);
    expect(memory.facts("state_update").at(-1)).toMatchObject({
      stopReason: "error",
      error: { kind: "hook", message: "05-note has failed" },
    });
    expect(memory.provider.requests).toHaveLength(1);
  });

  it("steps of single calls run them in place of their tools, and never past the gate", async () => {
    const seen: unknown[] = [];
    const exec: CallSteps<Turn>["exec"] = async (given) => {
      seen.push(given.input);
      return { ...given, text: "run elsewhere", isError: false };
    };
    const { memory, ran } = session({ exec });
    await memory.say("go");
    expect(outcomes(memory)).toMatchObject([{ status: "ok", text: "run elsewhere" }]);
    expect([seen.length, ran.length]).toEqual([1, 0]);
    const denied = session({ exec }, steps, { rules: { allow: [], deny: ["read"] } });
    await denied.memory.say("go");
    expect(outcomes(denied.memory)).toMatchObject([{ status: "denied" }]);
    expect(seen).toHaveLength(1);
  });

  it("a step before the calls run refuses one of them, and the gate says so and writes it down", async () => {
    const refuse: StepOf<"tool_exec", Turn> = {
      stage: "tool_exec",
      name: "05-approve",
      run: (state) => ("refused" in state ? { ...state, refused: { a: "is refused by a hook: not now" } } : state),
    };
    const { memory, ran } = session({}, [refuse]);
    await memory.say("go");
    expect(outcomes(memory)).toMatchObject([
      { status: "denied", text: expect.stringContaining("is refused by a hook: not now") },
    ]);
    expect(ran).toEqual([]);
    expect(memory.ports.audit.decisions).toMatchObject([{ verdict: "denied", by: expect.stringContaining("hook") }]);
  });

  it("steps that loop are stopped, whatever they replace", async () => {
    const around: StepOf<"assemble", Turn> = {
      stage: "assemble",
      name: "10-messages",
      run: () => ({ model: "", system: "", messages: [], tools: [], nextState: "assemble" }),
    };
    const { memory } = session({}, [around], { limits: { maxTurns: 2, maxToolCalls: 5 } });
    await memory.say("go");
    expect(memory.facts("notice")).toMatchObject([{ title: "Stopped: hooks kept the turn in a loop." }]);
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "max_turn_requests" });
  });
});
