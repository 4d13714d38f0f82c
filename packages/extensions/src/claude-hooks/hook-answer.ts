import { isRecord } from "@harness/host";
import { signalInWords, signalOfExitCode } from "@harness/protocol";
import type { HookEvent } from "./hook-event.ts";

/** How a command ended. */
export type HookCommandEnd = {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Why it did not run, or did not end by itself, as a clause about it. */
  problem?: string | undefined;
};

/** A hook's answer as data. The answers of several hooks of an event add up. */
export type EventAnswer = {
  /** Why the call, the prompt, the end or the compaction is refused. */
  block?: string;
  /** Why the user has to be asked about the call. */
  ask?: string;
  /** The arguments that replace those of the call. */
  updatedInput?: Record<string, unknown>;
  /** For the model. */
  context: readonly string[];
  /** Nothing more may happen in this turn; the text is for the user. */
  stop?: string;
  /** For the user. */
  warnings: readonly string[];
};

export const NO_ANSWER: EventAnswer = { context: [], warnings: [] };

/** For these events plain output is context for the model. */
const PLAIN_CONTEXT: ReadonlySet<HookEvent> = new Set(["UserPromptSubmit", "SessionStart"]);
/** Events that can no longer be refused. */
const TOLD_ONLY: ReadonlySet<HookEvent> = new Set(["SessionStart", "SessionEnd", "Notification"]);
const MAX_CONTEXT = 10_000;
const MAX_WORDS = 2_000;
const BLOCKED = 2;
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
/** The shell adds the number of the signal. */
const BY_SIGNAL = 128;
const LAST_SIGNAL = 64;

/**
 * Interprets the end of a command like Claude Code: exit 2 refuses with stderr, another code is a failure that changes
 * nothing, and for exit 0 the output counts, as JSON if it is an object. If a hook that should have judged a call could
 * not (it did not run, did not end in time, or was killed), the call is refused. Pure.
 */
export function answerOf(event: HookEvent, hook: { command: string; path: string }, end: HookCommandEnd): EventAnswer {
  const name = nameOf(event, hook);
  const problem = end.problem ?? problemOfShell(end);
  if (problem !== undefined) {
    const words = `the ${name} ${problem}`;
    return event === "PreToolUse" ? { ...NO_ANSWER, block: words } : { ...NO_ANSWER, warnings: [`${words}.`] };
  }
  if (end.code === BLOCKED) {
    const words = clip(end.stderr.trim(), MAX_WORDS) || `the ${name} gave no reason`;
    return TOLD_ONLY.has(event) ? { ...NO_ANSWER, warnings: [words] } : { ...NO_ANSWER, block: words };
  }
  if (end.code !== 0)
    return { ...NO_ANSWER, warnings: [`The ${name} failed with exit code ${end.code}${saidBy(end)}`] };
  return answerOfOutput(event, name, end.stdout.trim());
}

/** Enough to find the hook: its event, its command, and its file. */
function nameOf(event: HookEvent, { command, path }: { command: string; path: string }): string {
  return `${event} hook ${JSON.stringify(command.length > 80 ? `${command.slice(0, 79)}…` : command)} in ${path}`;
}

/** The problem indicated by a shell's exit code (POSIX, Shell Command Language, 2.8.2). */
function problemOfShell(end: HookCommandEnd): string | undefined {
  const { code } = end;
  if (code === NOT_EXECUTABLE) return `could not be run: it is not executable${saidBy(end)}`;
  if (code === NOT_FOUND) return `could not be run: there is no such command${saidBy(end)}`;
  if (code === null || code <= BY_SIGNAL || code > BY_SIGNAL + LAST_SIGNAL) return undefined;
  const signal = signalOfExitCode(code);
  return `was killed by ${signal === undefined ? `signal ${code - BY_SIGNAL}` : signalInWords(signal)}`;
}

/** The first line of its errors, as the end of a sentence. */
function saidBy({ stderr }: HookCommandEnd): string {
  const firstLine = stderr.trim().split("\n")[0] ?? "";
  return firstLine === "" ? "" : `: ${clip(firstLine, 300)}`;
}

function answerOfOutput(event: HookEvent, name: string, stdout: string): EventAnswer {
  if (!stdout.startsWith("{")) {
    return PLAIN_CONTEXT.has(event) && stdout !== ""
      ? { ...NO_ANSWER, context: [clip(stdout, MAX_CONTEXT)] }
      : NO_ANSWER;
  }
  let json: unknown;
  try {
    json = JSON.parse(stdout);
  } catch {
    json = undefined;
  }
  if (!isRecord(json)) {
    const words = `the ${name} answered with invalid JSON`;
    return event === "PreToolUse" ? { ...NO_ANSWER, block: words } : { ...NO_ANSWER, warnings: [`${words}.`] };
  }
  return answerOfJson(event, name, json);
}

function answerOfJson(event: HookEvent, name: string, json: Record<string, unknown>): EventAnswer {
  const specific = isRecord(json.hookSpecificOutput) ? json.hookSpecificOutput : {};
  const reason = textOf(specific.permissionDecisionReason) ?? textOf(json.reason);
  const decision = event === "PreToolUse" ? (specific.permissionDecision ?? json.decision) : json.decision;
  const isRefused = (decision === "deny" || decision === "block") && !TOLD_ONLY.has(event);
  const context = textOf(specific.additionalContext);
  const warning = textOf(json.systemMessage);
  const unexplained = `the ${name} gave no reason`;
  return {
    ...(isRefused && { block: clip(reason ?? unexplained, MAX_WORDS) }),
    ...(event === "PreToolUse" && decision === "ask" && { ask: clip(reason ?? unexplained, MAX_WORDS) }),
    ...(event === "PreToolUse" && isRecord(specific.updatedInput) && { updatedInput: specific.updatedInput }),
    ...(json.continue === false && { stop: textOf(json.stopReason) ?? unexplained }),
    context: context === undefined ? [] : [clip(context, MAX_CONTEXT)],
    warnings: warning === undefined ? [] : [clip(warning, MAX_WORDS)],
  };
}

/** Merges the answers of all hooks of an event: one refusal is enough, and all texts are kept. */
export function mergeAnswers(answers: readonly EventAnswer[]): EventAnswer {
  const block = wordsOf(answers.map((each) => each.block));
  const ask = wordsOf(answers.map((each) => each.ask));
  const stop = wordsOf(answers.map((each) => each.stop));
  const updatedInput = answers.findLast((each) => each.updatedInput !== undefined)?.updatedInput;
  return {
    ...(block !== undefined && { block }),
    ...(ask !== undefined && { ask }),
    ...(stop !== undefined && { stop }),
    ...(updatedInput !== undefined && { updatedInput }),
    context: answers.flatMap(({ context }) => context),
    warnings: answers.flatMap(({ warnings }) => warnings),
  };
}

/** The messages of several hooks, without duplicates; undefined if there are none. */
function wordsOf(texts: readonly (string | undefined)[]): string | undefined {
  const words = new Set(texts.filter((each) => each !== undefined));
  return words.size === 0 ? undefined : [...words].join("\n");
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function clip(text: string, max: number): string {
  return (text.length <= max ? text : `${text.slice(0, max - 1)}…`).toWellFormed();
}
