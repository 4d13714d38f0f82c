import type { CommandLine } from "../command-line.ts";
import { parseDurationMs } from "../durations.ts";
import { CliError } from "../exit-codes.ts";
import { type SessionRequest, sessionRequest } from "../session-request.ts";
import type { OutputFormat } from "./run-output.ts";

export type RunRequest = SessionRequest & {
  format: OutputFormat;
  streamInput: boolean;
  partial: boolean;
  verbose: boolean;
  quiet: boolean;
  outputFile: string | undefined;
  failOnPermission: boolean;
  timeoutMs: number | undefined;
  title: string | undefined;
  ephemeral: boolean;
};

export function runRequest(line: CommandLine): RunRequest {
  const session = sessionRequest(line);
  const format = (line.value("output-format") ?? (line.has("json") ? "stream-json" : "text")) as OutputFormat;
  const timeout = line.value("timeout");
  const timeoutMs = timeout === undefined ? undefined : parseDurationMs(timeout);
  if (timeout !== undefined && timeoutMs === undefined)
    throw new CliError("usage", `--timeout takes a time such as 90s, 10m or 2h, not "${timeout}".`);
  const ephemeral = line.has("ephemeral");
  if (ephemeral && session.open.how !== "new")
    throw new CliError("usage", "--ephemeral stores nothing, so there is nothing to --continue or --resume.");
  if (line.has("include-partial") && format !== "stream-json")
    throw new CliError("usage", "--include-partial needs --output-format stream-json.");
  return {
    ...session,
    format,
    streamInput: line.value("input-format") === "stream-json",
    partial: line.has("include-partial"),
    verbose: line.has("verbose"),
    quiet: line.has("quiet"),
    outputFile: line.value("output"),
    failOnPermission: line.value("permission-prompt") === "fail",
    timeoutMs,
    title: line.value("title"),
    ephemeral,
  };
}
