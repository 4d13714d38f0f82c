import { LoginNeededError } from "../auth/login-attempt.ts";
import type { McpServerConfig } from "../config/server-config.ts";
import { CallTimeoutError } from "../connection/call-watch.ts";
import type { ServerLog } from "../connection/server-log.ts";
import { plainError } from "../text/plain-error.ts";
import { STARTUP_MS, StartError } from "./start-server.ts";

type StartFailure = { state: "failed" | "needs-login"; problem: string };

const LAST_LINES = 5;

/** Why a server did not start, as a sentence. */
export function explainStart(
  error: unknown,
  { name, startupTimeoutMs }: McpServerConfig,
  log: ServerLog,
): StartFailure {
  if (error instanceof LoginNeededError) return { state: "needs-login", problem: error.message };
  if (error instanceof StartError) return { state: "failed", problem: error.message };
  const seconds = (startupTimeoutMs ?? STARTUP_MS) / 1000;
  const problem =
    error instanceof CallTimeoutError
      ? `The MCP server ${name} did not start within ${seconds} s.`
      : `The MCP server ${name} did not start: ${sentence(error)}`;
  return { state: "failed", problem: `${problem}${lastWords(log)}` };
}

/** Its last output; empty, or begins with a space. */
export function lastWords(log: ServerLog): string {
  const words = log.tail(LAST_LINES);
  return words === "" ? "" : ` Its last output: ${words}`;
}

function sentence(error: unknown): string {
  const text = plainError(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
