import { join } from "node:path";
import { filesRun, scriptsOf } from "@harness/gate";
import { isRecord, namedCommands, readLenientJson, readRegularFile } from "@harness/host";
import { isClaudeSettings, isLanguageServers, trustKind } from "./trust-kind.ts";

/** For a script that is searched for the files it names. */
const MAX_SCRIPT_BYTES = 1024 * 1024;
/** Programs installed there come from elsewhere, and change with each installation. */
const installed = /(?:^|\/)(?:node_modules|\.?venv|\.yarn\/cache|vendor\/bundle)(?:\/|$)/;

/**
 * The files that a file of hooks, MCP servers or settings makes something run, from its own path and text: absolute, as
 * named. They could do everything that the file does, so they are trusted along with it.
 */
export function namedFiles(path: string, text: string, { folder, home }: { folder: string; home: string }): string[] {
  const kind = trustKind(path);
  const isHooks = kind === "hook" && (path.endsWith("hooks.json") || isClaudeSettings(path));
  if (!isHooks && !isLanguageServers(path) && kind !== "mcp" && kind !== "settings") return [];
  const json = readLenientJson(text);
  const value = "value" in json ? json.value : undefined;
  const lines = kind === "settings" ? settingsLines(value) : namedCommands(value);
  const variables = { CLAUDE_PROJECT_DIR: folder, HARNESS_CWD: folder, HARNESS_ROOT: folder, workspaceFolder: folder };
  const read = (file: string) => {
    try {
      return readRegularFile(file, { maxBytes: MAX_SCRIPT_BYTES, followLinks: true }).toString("utf8");
    } catch {
      return undefined;
    }
  };
  const files = lines.flatMap((line) => filesRun(line, { cwd: folder, home, variables, read }));
  return [...new Set(files)].filter((file) => !installed.test(file.slice(folder.length)));
}

/** The command lines in the settings that a project may have. */
function settingsLines(value: unknown): string[] {
  if (!isRecord(value)) return [];
  const { environment_command: environment, check_command: check, mcp_servers: servers } = value;
  const lines = Array.isArray(servers) ? servers.filter((each) => typeof each === "string") : [];
  return [
    ...[environment, check].filter((each) => typeof each === "string"),
    ...lines.map((line) => line.replace(/^[^=\s]*=/, "")),
    ...namedCommands(servers),
  ];
}

/**
 * The relevant part of such a file: for a `package.json` its scripts, because the rest changes with every dependency.
 */
export function namedPart(path: string, content: Buffer): Buffer | string {
  if (!/(?:^|\/)package\.json$/.test(path)) return content;
  return JSON.stringify(scriptsOf(content.toString("utf8")));
}

/** The path of a file relative to a root; undefined: it is elsewhere. */
export function belowRoot(root: string, file: string): string | undefined {
  const start = join(root, "/");
  return file.startsWith(start) ? file.slice(start.length) : undefined;
}
