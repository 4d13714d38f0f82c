import { join } from "node:path";
import { inspect } from "node:util";
import { PrivateLog } from "@harness/host";
import type { ConfigPaths } from "./config-paths.ts";
import { redact } from "./secrets/redact.ts";

export type LogLevel = "debug" | "info" | "warning" | "error";

/** The log that developers read after a failure. Never throws, whatever the disk does. */
export type LogFile = {
  /** `where` names the part of the program; `detail` may be an error or any value. */
  write(level: LogLevel, where: string, detail: unknown): void;
  /** Keeps the value out of the file from now on. */
  addSecret(value: string): void;
};

const MAX_BYTES = 1024 * 1024;
const MAX_ENTRY = 64 * 1024;
const OLD_FILES = 2;

/** `logs/harness.log`, 1 MB, with two older ones. Nothing is on disk before the first entry. */
export function openLogFile(configPaths: Pick<ConfigPaths, "logs">): LogFile {
  const secrets = new Set<string>();
  const file = new PrivateLog(join(configPaths.logs, "harness.log"), { maxBytes: MAX_BYTES, kept: OLD_FILES });
  return {
    write(level, where, detail) {
      try {
        const text = typeof detail === "string" ? detail : inspect(detail, { depth: 4, breakLength: 120 });
        const entry = `${level} ${where}: ${text}`.slice(0, MAX_ENTRY).replaceAll("\n", "\n    ");
        file.append(`${new Date().toISOString()} ${process.pid} ${redact(entry, secrets)}`);
      } catch {
        // A log that cannot be written must not be the second failure.
      }
    },
    addSecret(value) {
      secrets.add(value);
    },
  };
}
