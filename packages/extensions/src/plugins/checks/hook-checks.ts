import { isRecord, jsonValue } from "@harness/host";
import {
  brokenEnd,
  type Check,
  failedCheck,
  type PluginTrial,
  passedCheck,
  shownText,
  type TrialEnd,
  warningCheck,
} from "./plugin-trial.ts";

const SLOW_MS = 1_000;
const call = { id: "call_1", name: "bash", input: { command: "npm test" } };
const user = { role: "user", content: [{ type: "text", text: "Run the tests." }] };

/** Input for the hooks of each stage. */
const recorded: Readonly<Record<string, Record<string, unknown>>> = {
  sources: {},
  resolve: { provider: "", model: "" },
  start: {},
  assemble: {
    model: "example-model",
    system: "You are a coding agent.",
    messages: [user],
    tools: [{ name: "bash", description: "Runs a command.", input_schema: { type: "object", properties: {} } }],
    next_state: "send",
  },
  send: { model: "example-model", system: "You are a coding agent.", messages: [user], tools: [] },
  receive: {
    id: "message_1",
    type: "message",
    role: "assistant",
    model: "example-model",
    provider: "example",
    content: [{ type: "tool_use", ...call }],
    stop_reason: "tool_use",
    usage: { input_tokens: 100, output_tokens: 20 },
  },
  tool_exec: { tool_calls: [call] },
  tool_done: { call_id: call.id, name: call.name, input: call.input, result: "ok", error: false, tool_calls: [] },
  error: { error: "the server is overloaded", error_type: "overloaded", output: "error: the server is overloaded" },
  done: { output: "The tests pass.", stop_reason: "end_turn" },
  "auth-set": {},
};

/** Checks a hook with the recorded value of its stage, and a value that it has never seen. */
export async function hookChecks(trial: PluginTrial): Promise<Check[]> {
  const { stage = "tool_exec", run } = trial;
  const value = Object.hasOwn(recorded, stage) ? recorded[stage] : undefined;
  if (!value)
    return [failedCheck("its stage", `there is no stage ${stage}; the stages are ${Object.keys(recorded).join(", ")}`)];
  return [
    ...answerChecks(`a recorded value of ${stage}`, await run([], JSON.stringify(value)), trial, value),
    endCheck("a value without any field", await run([], "{}"), trial),
  ];
}

function answerChecks(
  name: string,
  end: TrialEnd,
  { stage, timeoutMs }: PluginTrial,
  value: Record<string, unknown>,
): Check[] {
  const broken = brokenEnd(end, timeoutMs);
  if (broken !== undefined) return [failedCheck(name, broken)];
  const slow = end.durationMs > SLOW_MS ? [warningCheck(name, `it took ${end.durationMs} ms, each time`)] : [];
  if (end.code !== 0) {
    const words = shownText(end.stdout || end.stderr) || "without a message";
    const what = stage === "tool_exec" ? "it refuses a harmless call" : "it leads to the stage error";
    return [warningCheck(name, `exit code ${end.code}, so that ${what}: ${words}`), ...slow];
  }
  const answer = jsonValue(end.stdout);
  if (end.stdout.trim() === "") return [passedCheck(name, "it hands on nothing of its own"), ...slow];
  if (!isRecord(answer))
    return [failedCheck(name, `it printed something other than a JSON object: ${shownText(end.stdout)}`)];
  const lost = Object.keys(value).filter((key) => !Object.hasOwn(answer, key));
  const lossy = lost.length > 0 ? [warningCheck(name, `it does not hand on ${lost.join(", ")}`)] : [];
  return [passedCheck(name, `${end.durationMs} ms`), ...lossy, ...slow];
}

function endCheck(name: string, end: TrialEnd, { timeoutMs }: PluginTrial): Check {
  const broken = brokenEnd(end, timeoutMs);
  return broken === undefined ? passedCheck(name, `exit code ${end.code}`) : failedCheck(name, broken);
}
