import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { SessionRequest } from "@harness/client";
import type { AgentMode, SessionConfig } from "@harness/protocol";
import { agentModeOf, agentModes, PLAN, parsePermissionMode } from "@harness/protocol/choices";
import { CliError } from "../process/exit-codes.ts";
import type { CommandLine } from "./command-line.ts";

/** The most that the server takes. */
const MAX_USD = 100_000;

/** Checks values and combinations of flags: numbers, folders, and flags that exclude each other. */
export function sessionRequest(line: CommandLine): SessionRequest {
  const id = line.value("resume");
  if (line.has("continue") && line.has("resume"))
    throw new CliError("usage", "--continue and --resume cannot be combined.");
  if (line.has("fork") && id === undefined && !line.has("continue"))
    throw new CliError("usage", "--fork needs a session: use it with --resume ID or --continue.");
  if (line.has("worktree") && !line.has("fork")) throw new CliError("usage", "--worktree is for a fork: add --fork.");
  const permission = line.value("permission-mode");
  const config: SessionConfig = {};
  const model = line.value("model");
  const provider = line.value("provider");
  const effort = line.value("effort");
  if (model !== undefined) config.model = model;
  if (provider !== undefined) config.provider = provider;
  if (effort !== undefined) config.effort = effort;
  // `plan` is now an agent mode: leaving it, with the user's consent, returns to the permission mode of the settings.
  if (permission !== undefined && permission !== PLAN) config.permissionMode = parsePermissionMode(permission);
  const wanted = agentMode(line.value("mode"));
  const mode = permission === PLAN && (wanted ?? "agent") === "agent" ? "planning" : wanted;
  if (mode !== undefined) config.mode = mode;
  return {
    cwd: workingFolder(line.value("cd")),
    isFolderNamed: line.has("cd"),
    config,
    rules: { allow: line.values("allow"), deny: line.values("deny") },
    additionalDirectories: line.values("add-dir").map((path) => realFolder(path, "--add-dir")),
    mcp: { files: line.values("mcp-config").map(existingFile), strict: line.has("strict-mcp-config") },
    maxTurns: wholeNumber(line, "max-turns"),
    budget: budget(line),
    fallbackModels: line.has("fallback-model")
      ? line.values("fallback-model").flatMap((each) => each.split(","))
      : undefined,
    customInstructions: line.value("append-system-prompt"),
    open: opening(line, id),
    fork: line.has("worktree") ? "worktree" : line.has("fork"),
  };
}

function opening(line: CommandLine, id: string | undefined): SessionRequest["open"] {
  if (id !== undefined) return { how: "id", id };
  if (line.has("resume")) return { how: "choose" };
  return line.has("continue") ? { how: "newest" } : { how: "new" };
}

/** The working folder; throws a `CliError` if it does not exist. */
export function workingFolder(folder: string | undefined): string {
  return realFolder(folder, "--cd");
}

function realFolder(folder: string | undefined, flag: string): string {
  const wrong = (why: string) =>
    new CliError(
      "usage",
      folder === undefined
        ? `The current folder ${why}. Change to another one, or name one with ${flag}.`
        : `${flag}: ${folder} ${why}.`,
    );
  let path: string;
  try {
    path = realpathSync(resolve(folder ?? process.cwd()));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw wrong(code === "ENOENT" ? "does not exist" : `cannot be opened (${code})`);
  }
  if (!statSync(path).isDirectory()) throw wrong("is not a directory");
  return path;
}

function existingFile(path: string): string {
  const file = resolve(path);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new CliError("usage", `--mcp-config: ${path} is not a file.`);
  return file;
}

function agentMode(text: string | undefined): AgentMode | undefined {
  if (text === undefined) return undefined;
  const mode = agentModeOf(text);
  if (mode) return mode;
  throw new CliError("usage", `--mode takes one of ${agentModes.join(", ")}, not "${text}".`);
}

function budget(line: CommandLine): SessionRequest["budget"] {
  const tokens = wholeNumber(line, "max-tokens");
  const usd = dollars(line, "max-cost");
  return tokens === undefined && usd === undefined ? undefined : { tokens, usd };
}

function dollars(line: CommandLine, flag: "max-cost"): number | undefined {
  const text = line.value(flag);
  if (text === undefined) return undefined;
  const number = /^\$?\d*\.?\d+$/.test(text) ? Number(text.replace("$", "")) : 0;
  if (number > 0 && number <= MAX_USD) return number;
  throw new CliError("usage", `--${flag} takes an amount in US dollars, such as 0.50, not "${text}".`);
}

function wholeNumber(line: CommandLine, flag: "max-turns" | "max-tokens"): number | undefined {
  const text = line.value(flag);
  if (text === undefined) return undefined;
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new CliError("usage", `--${flag} takes a whole number from 1, not "${text}".`);
}
