import { dirname } from "node:path";
import { harnessVariables, type ProgramResult, programEnvironment, runProgram, withVariables } from "@harness/host";
import type { AgentMode, PermissionMode } from "@harness/protocol";
import { signalInWords } from "@harness/protocol";
import type { HookRunOptions } from "../hooks/runs/hook-runner.ts";
import type { HookRuns } from "../hooks/runs/hook-runs.ts";
import type { ClaudeHooks, FoundClaudeHook } from "./claude-hooks.ts";
import { answerOf, type EventAnswer, type HookCommandEnd, mergeAnswers, NO_ANSWER } from "./hook-answer.ts";
import { type EventFields, type HookEvent, matchedNames } from "./hook-event.ts";
import { matches } from "./hook-file.ts";

/** Session data that every event gets. */
export type EventSession = {
  sessionId: string;
  /** The folder whose hooks run, even for agents that work elsewhere. */
  cwd: string;
  /** The log of the session. */
  transcriptPath: string;
  permissionMode(): PermissionMode;
  mode(): AgentMode;
};

/** `matched`: more names that a matcher may match. */
type EventOptions = {
  event: HookEvent;
  fields: EventFields;
  cwd: string;
  signal: AbortSignal;
  matched?: readonly string[];
};

const MAX_OUTPUT_BYTES = 1024 * 1024;
/** Without these a hook could not show a notification. */
const FOR_DESKTOPS = ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "TERM"];
const modes: Readonly<Record<PermissionMode, string>> = {
  default: "default",
  review: "default",
  "accept-edits": "acceptEdits",
  "allow-all": "bypassPermissions",
  "auto-in-sandbox": "bypassPermissions",
  deny: "dontAsk",
};

/** Runs the hooks of events for one session, all hooks of an event side by side, and records how they end. */
export class EventRunner {
  readonly #hooks: ClaudeHooks;
  readonly #runs: HookRuns;
  readonly #options: HookRunOptions;
  readonly #session: EventSession;
  readonly #nowMs: () => number;

  constructor(parts: {
    hooks: ClaudeHooks;
    runs: HookRuns;
    place: HookRunOptions;
    session: EventSession;
    nowMs(): number;
  }) {
    this.#hooks = parts.hooks;
    this.#runs = parts.runs;
    this.#options = parts.place;
    this.#session = parts.session;
    this.#nowMs = parts.nowMs;
  }

  /** True if there are hooks for the event. Starts no process. */
  has(event: HookEvent): boolean {
    return this.#hooks.at(this.#session.cwd).of(event).length > 0;
  }

  /** Never rejects. */
  async run(options: EventOptions): Promise<EventAnswer> {
    const { event, fields, matched = [] } = options;
    const found = this.#hooks.at(this.#session.cwd).of(event);
    if (found.length === 0) return NO_ANSWER;
    const names = matchedNames(event, fields);
    const wanted = found.filter(({ matcher }) => names === undefined || matches(matcher, [...names, ...matched]));
    // The same command in several files runs once.
    const once = new Map(wanted.map((hook) => [hook.command, hook]));
    const input = `${JSON.stringify({ ...this.#common(options), ...fields })}\n`;
    return mergeAnswers(await Promise.all([...once.values()].map((hook) => this.#answer(hook, input, options))));
  }

  #common({ event, cwd }: EventOptions): EventFields {
    const { sessionId, transcriptPath, permissionMode, mode } = this.#session;
    return {
      session_id: sessionId,
      transcript_path: transcriptPath,
      cwd,
      permission_mode: mode() === "planning" ? "plan" : modes[permissionMode()],
      hook_event_name: event,
    };
  }

  async #answer(hook: FoundClaudeHook, input: string, options: EventOptions): Promise<EventAnswer> {
    if (!hook.isAsync) return await this.#run(hook, input, options);
    // The session does not wait for it, and the end of the turn does not stop it.
    void this.#run(hook, input, { ...options, signal: new AbortController().signal });
    return NO_ANSWER;
  }

  async #run(hook: FoundClaudeHook, input: string, { event, cwd, signal }: EventOptions): Promise<EventAnswer> {
    const { command, source, timeoutMs, passEnv } = hook;
    const at = new Date(this.#nowMs()).toISOString();
    const added = await this.#options.folderVariables?.(cwd);
    const began = performance.now();
    const output = this.#options.log.begin({ stage: event, name: command }, MAX_OUTPUT_BYTES, () => undefined);
    const project = source.owner === "project" ? dirname(source.folder) : this.#session.cwd;
    const facts = { ...this.#options.facts(), cwd, stage: event, sources: [], provider: undefined, model: undefined };
    const result = await runProgram({
      path: "/bin/sh",
      args: ["-c", command],
      cwd,
      env: withVariables(
        programEnvironment(this.#options.environment(cwd), [...FOR_DESKTOPS, ...passEnv], {
          ...harnessVariables(facts),
          CLAUDE_PROJECT_DIR: project,
        }),
        added,
      ),
      input,
      timeoutMs,
      signal,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      onOutput: (piece, from) => output.take(piece, from),
    });
    output.end(result);
    const answer = signal.aborted ? NO_ANSWER : answerOf(event, hook, endOf(result, timeoutMs));
    const { sessionId } = this.#session;
    const words = answer.block ?? answer.stop ?? answer.warnings[0];
    const outcome = signal.aborted ? "cancelled" : answer.block !== undefined ? "refused" : outcomeOf(result);
    this.#runs.add(
      {
        // A file may contain several commands.
        ...{ at, event, name: command, path: command, cwd, sessionId, outcome },
        durationMs: Math.round(performance.now() - began),
        exit: exitOf(result),
        ...(words !== undefined && { words }),
      },
      this.#options,
    );
    return answer;
  }
}

function endOf(result: ProgramResult, timeoutMs: number): HookCommandEnd {
  const { code, stdout, stderr } = result;
  const problem = problemOf(result, timeoutMs);
  return { code, stdout, stderr, ...(problem !== undefined && { problem }) };
}

function problemOf({ problem, timedOut, truncated, signal }: ProgramResult, timeoutMs: number): string | undefined {
  if (problem !== undefined) return `could not be run: ${problem}`;
  if (timedOut) return `did not end within ${timeoutMs / 1000} s`;
  if (truncated) return "wrote more than 1 MB";
  return signal === null ? undefined : `was killed by ${signalInWords(signal)}`;
}

function outcomeOf({ code, problem }: ProgramResult): "ok" | "failed" {
  return problem === undefined && code === 0 ? "ok" : "failed";
}

function exitOf({ code, signal, problem }: ProgramResult): string {
  if (problem !== undefined) return "not run";
  return signal === null ? `exit ${code}` : signal;
}
