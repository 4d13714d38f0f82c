import { accessSync, closeSync, constants, openSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { SessionRequest } from "@harness/client";
import { PLAN } from "@harness/protocol/choices";
import type { CommandLine } from "../command-line/command-line.ts";
import { parseDurationMs } from "../command-line/durations.ts";
import { sessionRequest } from "../command-line/session-request.ts";
import { CliError } from "../process/exit-codes.ts";
import { exportTarget, STDOUT } from "../process/export-target.ts";
import { jobFile } from "./job-file.ts";

export type OutputFormat = "text" | "json" | "stream-json";

/** Questions are answered by a program, or by its user. */
const QUESTION_TIMEOUT_MS = 60_000;

export type RunRequest = SessionRequest & {
  streamInput: boolean;
  /** Include chunks as they are streamed. */
  partial: boolean;
  /** Write messages as they arrive. */
  streams: boolean;
  outputFile: string | undefined;
  /** Where a trajectory of the session is written at the end. */
  trajectoryFile: string | undefined;
  failOnPermission: boolean;
  /** The JSON Schema that the answer has to fit: itself, or its file. */
  outputSchema: string | undefined;
  /** Trust the folder's content for this run. */
  trust: boolean;
  timeoutMs: number | undefined;
  /** How long a question waits for its answer. */
  questionTimeoutMs: number;
  title: string | undefined;
  /** The named agent that does the work. */
  agent: string | undefined;
  ephemeral: boolean;
};

/** The format of the result, known before anything else can fail. */
export function outputFormat(line: CommandLine): OutputFormat {
  const format = line.value("output-format") as OutputFormat | undefined;
  if (line.has("json") && format !== undefined && format !== "stream-json")
    throw new CliError("usage", `--json means --output-format stream-json, not ${format}: leave one of them out.`);
  return format ?? (line.has("json") ? "stream-json" : "text");
}

/** A user at a terminal reads along; a pipe gets only the answer, unless the environment asks for more. JSON comes whole. */
export function streamsMessages(line: CommandLine): boolean {
  if (line.has("output-schema")) return false;
  const { HARNESS_STREAM } = process.env;
  const wanted = HARNESS_STREAM ? HARNESS_STREAM !== "0" : process.stdout.isTTY;
  return wanted && outputFormat(line) === "text";
}

/** Checks combinations of flags, and that the answer's file can be written; throws a `CliError`. */
export function runRequest(line: CommandLine): RunRequest {
  const session = sessionRequest(line);
  if (session.open.how === "choose")
    throw new CliError(
      "usage",
      "A run cannot ask which session: --resume needs an ID here. harness sessions lists them.",
    );
  const ephemeral = line.has("ephemeral");
  if (ephemeral && session.open.how !== "new")
    throw new CliError("usage", "--ephemeral stores nothing, so there is nothing to --continue or --resume.");
  if (line.has("include-partial") && outputFormat(line) !== "stream-json")
    throw new CliError("usage", "--include-partial needs --output-format stream-json.");
  if (line.has("quiet") && line.has("verbose"))
    throw new CliError("usage", "--quiet and --verbose cannot be combined.");
  const streamInput = line.value("input-format") === "stream-json";
  if (streamInput) refusePromptFlags(line);
  return {
    ...session,
    // If nobody may be there to ask, the agent does not leave planning by itself.
    config: line.value("permission-mode") === PLAN ? { ...session.config, permissionMode: "deny" } : session.config,
    streamInput,
    partial: line.has("include-partial"),
    streams: streamsMessages(line),
    trust: line.has("trust"),
    failOnPermission: line.value("permission-prompt") === "fail",
    outputSchema: line.value("output-schema"),
    timeoutMs: duration(line, "timeout"),
    questionTimeoutMs: duration(line, "question-timeout") ?? QUESTION_TIMEOUT_MS,
    title: line.value("title"),
    agent: line.value("agent"),
    ephemeral,
    outputFile: line.has("output")
      ? writableFile("--output", line.value("output"), session.cwd)
      : writableFile("HARNESS_OUTPUT_DIR", jobFile(process.env), session.cwd),
    trajectoryFile: trajectoryTarget(line, session.cwd),
  };
}

function refusePromptFlags(line: CommandLine): void {
  const promptFlag = (["file", "image", "output-schema"] as const).find((flag) => line.has(flag));
  if (promptFlag)
    throw new CliError(
      "usage",
      `--${promptFlag} needs a prompt on the command line: with --input-format stream-json the prompts come from stdin.`,
    );
  if (line.positionals.length > 0)
    throw new CliError(
      "usage",
      "With --input-format stream-json the prompts come from stdin, not from the command line.",
    );
}

function duration(line: CommandLine, flag: "timeout" | "question-timeout"): number | undefined {
  const text = line.value(flag);
  if (text === undefined) return undefined;
  const ms = parseDurationMs(text);
  if (ms !== undefined) return ms;
  throw new CliError("usage", `--${flag} takes a time such as 90s, 10m or 2h, not "${text}".`);
}

/** The file, or `-` for stdout in place of the answer: better to fail now than after ten minutes of work. */
function trajectoryTarget(line: CommandLine, cwd: string): string | undefined {
  const named = line.value("trajectory");
  if (named === undefined) return undefined;
  if (named === STDOUT && outputFormat(line) !== "text")
    throw new CliError(
      "usage",
      `--trajectory - and --output-format ${outputFormat(line)} both write JSON to stdout: name a file for one of them.`,
    );
  return exportTarget("--trajectory", named, cwd);
}

/** Checks that a file can be written, without making it. A pipe or a device gets the answer when there is one. */
function writableFile(source: string, path: string | undefined, cwd: string): string | undefined {
  if (path === undefined) return undefined;
  const file = resolve(cwd, path);
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats) accessSync(dirname(file), constants.W_OK | constants.X_OK);
    else if (stats.isDirectory() || stats.isFile())
      closeSync(openSync(file, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK));
  } catch (error) {
    throw new CliError("usage", `${source}: ${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
  return file;
}
