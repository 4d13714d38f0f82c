import {
  type Environment,
  type HarnessFacts,
  harnessVariables,
  NOT_STARTED,
  type ProgramResult,
  programEnvironment,
  runProgram,
  withVariables,
} from "@harness/host";
import { signalInWords } from "@harness/protocol";
import type { ReadEntries } from "../../sources/read-entries.ts";
import type { SourceEntry } from "../../sources/source.ts";
import { hookMessage, type JsonObject, parseHookOutput } from "../contract/json-answer.ts";
import type { HookConf } from "./hook-conf.ts";
import type { HookLog } from "./hook-log.ts";
import type { HookRun, HookRuns } from "./hook-runs.ts";

/** Allowed size of an answer beyond the hook's input: a hook that passes on a long conversation is not a flood. */
const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_WORDS = 2_000;

/** Everything needed to run a hook, whatever the stage. */
export type HookRunOptions = {
  /** The user's environment variables there; a hook gets only a few of them. */
  environment(cwd: string): Environment;
  /** The folder's additions to those that a hook gets; null removes a variable. Never rejects. */
  folderVariables?(cwd: string): Promise<Readonly<Record<string, string | null>>>;
  facts(): Omit<HarnessFacts, "cwd" | "stage" | "sources" | "provider" | "model">;
  log: HookLog;
  sessionId: string | undefined;
  /** A session that leaves nothing behind. */
  isPrivate: boolean;
  /** True if its file is still the one that was found, and trusted. */
  isCurrent(hook: SourceEntry): boolean;
};

type HookInvocation = {
  hook: SourceEntry & { stage: string };
  input: JsonObject;
  cwd: string;
  signal: AbortSignal;
  facts: Pick<HarnessFacts, "sources" | "provider" | "model">;
};

/**
 * `refused`: it ended with an exit code other than 0, with `words` as its message ("" if it has none); `failed`:
 * `words` say what went wrong, as a clause about the hook.
 */
export type HookAnswer =
  | { outcome: "ok"; answer: JsonObject }
  | { outcome: "refused" | "failed"; words: string; exit: string }
  | { outcome: "cancelled" };

const CHANGED = {
  result: {
    ...NOT_STARTED,
    problem: "its file has changed since it was checked; it is checked again before the next request",
  },
  wasFlood: false,
  durationMs: 0,
};

/** Runs executables of stages, each in its own process, and records how they end. */
export class HookRunner {
  readonly #confs: ReadEntries<HookConf>;
  readonly #runs: HookRuns;
  readonly #nowMs: () => number;

  constructor(confs: ReadEntries<HookConf>, runs: HookRuns, nowMs: () => number) {
    this.#confs = confs;
    this.#runs = runs;
    this.#nowMs = nowMs;
  }

  /** Never rejects. */
  async run(invocation: HookInvocation, options: HookRunOptions): Promise<HookAnswer> {
    const { hook, cwd } = invocation;
    const startedMs = this.#nowMs();
    const { result, wasFlood, durationMs } = options.isCurrent(hook) ? await this.#start(invocation, options) : CHANGED;
    const answer = wasFlood ? flood(result) : answerOf(invocation, result, this.#confs.of(hook).timeoutMs);
    const run: HookRun = {
      at: new Date(startedMs).toISOString(),
      event: hook.stage,
      name: hook.name,
      path: hook.path,
      cwd,
      ...(options.sessionId !== undefined && { sessionId: options.sessionId }),
      durationMs: Math.round(durationMs * 10) / 10,
      outcome: answer.outcome,
      exit: exitOf(result),
      ...("words" in answer && answer.words !== "" && { words: answer.words }),
    };
    this.#runs.add(run, options);
    return answer;
  }

  async #start({ hook, input, cwd, signal, facts }: HookInvocation, options: HookRunOptions) {
    const { timeoutMs, passEnv } = this.#confs.of(hook);
    const text = `${JSON.stringify(input)}\n`;
    const maxOutputBytes = Buffer.byteLength(text) + MAX_OUTPUT_BYTES;
    const flooded = new AbortController();
    const added = await options.folderVariables?.(cwd);
    const output = options.log.begin(hook, maxOutputBytes, () => flooded.abort());
    const began = performance.now();
    const result = await runProgram({
      path: hook.path,
      cwd,
      env: withVariables(
        programEnvironment(options.environment(cwd), passEnv, {
          ...harnessVariables({ ...options.facts(), ...facts, cwd, stage: hook.stage }),
        }),
        added,
      ),
      input: text,
      timeoutMs,
      signal: AbortSignal.any([signal, flooded.signal]),
      maxOutputBytes,
      onOutput: (piece, from) => output.take(piece, from),
    });
    const durationMs = performance.now() - began;
    output.end(result);
    return { result, durationMs, wasFlood: flooded.signal.aborted || result.truncated };
  }
}

function flood(result: ProgramResult): HookAnswer {
  return { outcome: "failed", words: "wrote over 1 MB more than its input", exit: exitOf(result) };
}

function answerOf({ signal }: HookInvocation, result: ProgramResult, timeoutMs: number): HookAnswer {
  const exit = exitOf(result);
  const failed = (words: string): HookAnswer => ({ outcome: "failed", words, exit });
  if (signal.aborted) return { outcome: "cancelled" };
  if (result.problem !== undefined) return failed(`could not be run: ${result.problem}`);
  if (result.timedOut) return failed(`did not end within ${timeoutMs / 1000} s`);
  if (result.signal !== null) return failed(`was killed by ${signalInWords(result.signal)}`);
  if (result.code !== 0) return { outcome: "refused", words: hookMessage(result.stdout, MAX_WORDS), exit };
  const read = parseHookOutput(result.stdout);
  return "problem" in read ? failed(read.problem) : { outcome: "ok", answer: read.answer };
}

function exitOf({ code, signal, problem }: ProgramResult): string {
  if (problem !== undefined) return "not run";
  return signal === null ? `exit ${code}` : signal;
}
