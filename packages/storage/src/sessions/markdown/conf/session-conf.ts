import { join } from "node:path";
import { readRegularFile, replaceOwnFile } from "@harness/host";

/** The values of `session.conf`, a line `key=value` each. */
export type SessionConf = { id: string; model: string; provider: string; created: string; title: string; cwd: string };

const LINE = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/;
const MAX_BYTES = 1024 * 1024;

export function confPath(dir: string): string {
  return join(dir, "session.conf");
}

/** Empty where there is no such file. */
export function confOf(dir: string): Partial<SessionConf> {
  const pairs = linesOf(dir).flatMap((line) => {
    const [, key, value] = LINE.exec(line.trimEnd()) ?? [];
    return key === undefined || value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(pairs);
}

/** Keeps lines that are not ours. Throws what the file system throws. */
export function writeConf(dir: string, conf: SessionConf): void {
  const left = new Map<string, string>(Object.entries(conf).map(([key, value]) => [key, oneLine(value)]));
  const lines = linesOf(dir).map((line) => {
    const [, key = ""] = LINE.exec(line.trimEnd()) ?? [];
    const value = left.get(key);
    left.delete(key);
    return value === undefined ? line : `${key}=${value}`;
  });
  const text = [...lines, ...Array.from(left, ([key, value]) => `${key}=${value}`)].join("\n");
  replaceOwnFile(confPath(dir), `${text}\n`);
}

/** True if the file has these values and nothing else. */
export function isOnlyConf(dir: string, conf: SessionConf): boolean {
  const lines = Object.entries(conf).map(([key, value]) => `${key}=${oneLine(value)}`);
  return lines.join("\n") === linesOf(dir).join("\n");
}

function linesOf(dir: string): string[] {
  try {
    const text = readRegularFile(confPath(dir), { maxBytes: MAX_BYTES, followLinks: false }).toString("utf8");
    return text.split("\n").filter((line) => line.trim() !== "");
  } catch {
    return [];
  }
}

const oneLine = (value: string): string => value.replace(/[\r\n]+/g, " ");
