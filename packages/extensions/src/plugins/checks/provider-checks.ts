import { isRecord, jsonValue } from "@harness/host";
import {
  brokenEnd,
  type Check,
  describeChecks,
  endChecks,
  failedCheck,
  type PluginTrial,
  passedCheck,
  quietChecks,
  shownText,
  warningCheck,
} from "./plugin-trial.ts";

/** The time limit for a provider's own description. */
const ANSWER_MS = 2_000;
const question = { role: "user", content: "Answer with one word: ready." };

/** Checks a provider: its description and, if it is ready, one short request. */
export async function providerChecks(trial: PluginTrial): Promise<Check[]> {
  const { run, declare, timeoutMs } = trial;
  const limits = { timeoutMs, slowMs: ANSWER_MS };
  const defaults = await run(["--defaults"]);
  const env = await run(["--env"]);
  declare(
    env.stdout.split("\n").flatMap((line) =>
      line
        .trim()
        .split(/\s/, 1)
        .filter((name) => name !== ""),
    ),
  );
  const ready = await run(["--ready"]);
  return [
    ...(await describeChecks(trial)),
    ...lineChecks("--defaults", endChecks("--defaults", defaults, limits), defaults.stdout, /^[a-z_]+=.+$/),
    ...lineChecks("--env", endChecks("--env", env, limits), env.stdout, /^[A-Za-z_]\w*(\s.*)?$/),
    ...(ready.code === 0 ? await replyChecks(trial, defaults.stdout) : []),
    ...readyChecks(ready, trial),
  ];
}

function lineChecks(name: string, checks: Check[], text: string, form: RegExp): Check[] {
  const odd = text.split("\n").filter((line) => line.trim() !== "" && !form.test(line.trim()));
  return odd.length === 0
    ? checks
    : [...checks, failedCheck(name, `this line is not understood: ${shownText(odd[0] ?? "")}`)];
}

function readyChecks(end: Awaited<ReturnType<PluginTrial["run"]>>, { timeoutMs }: PluginTrial): Check[] {
  const broken = brokenEnd(end, timeoutMs);
  if (broken !== undefined) return [failedCheck("--ready", broken)];
  if (end.durationMs > ANSWER_MS)
    return [failedCheck("--ready", `it took ${end.durationMs} ms, and the limit is ${ANSWER_MS}`)];
  if (end.code === 0) return [passedCheck("--ready", "it can be used"), ...quietChecks("--ready", end)];
  const words = shownText(end.stderr);
  return words === ""
    ? [failedCheck("--ready", "it is not ready, and does not say on stderr what it needs")]
    : [warningCheck("--ready", `it is not ready, so no request was tried: ${words}`)];
}

/** Input in the declared format: without a protocol, the assembled payload. */
function inputOf(values: ReadonlyMap<string | undefined, string | undefined>): { check: Check; body: object } {
  const protocol = values.get("protocol");
  const model = values.get("model") ?? "";
  const messages = [question];
  if (protocol === undefined) {
    const words = "the assembled payload {model, system, messages, tools}, because --defaults names no protocol";
    return { check: passedCheck("what it reads", words), body: { model, system: "", messages, tools: [] } };
  }
  const stream = values.get("stream") !== "no";
  return {
    check: passedCheck("what it reads", `the whole request of its protocol, ${shownText(protocol)}`),
    body: { model, ...(protocol === "responses" ? { input: messages } : { messages, max_tokens: 16 }), stream },
  };
}

/** Runs like harness: a program that reads the payload gets `--stream` only if its text mentions that. */
function isStreamed(values: ReadonlyMap<string | undefined, string | undefined>, { mentions }: PluginTrial): boolean {
  const stream = values.get("stream");
  if (stream !== undefined) return stream !== "no";
  return values.has("protocol") || mentions("--stream");
}

async function replyChecks(trial: PluginTrial, defaults: string): Promise<Check[]> {
  const { run, timeoutMs } = trial;
  const values = new Map(defaults.split("\n").map((line) => [line.split("=")[0]?.trim(), line.split("=")[1]?.trim()]));
  const name = "a short request";
  const { check, body } = inputOf(values);
  const end = await run(isStreamed(values, trial) ? ["--stream"] : [], JSON.stringify(body));
  const checks = [check, ...endChecks(name, end, { timeoutMs, slowMs: timeoutMs })];
  if (checks.some(({ status }) => status === "failed")) return checks;
  const isReply = end.stdout.split("\n").some((line) => isRecord(jsonValue(line.replace(/^data:\s*/, ""))));
  if (!isReply && !isRecord(jsonValue(end.stdout)))
    return [...checks, failedCheck(name, `its answer is neither JSON nor events with JSON: ${shownText(end.stdout)}`)];
  return [...checks, ...quietChecks(name, end)];
}
