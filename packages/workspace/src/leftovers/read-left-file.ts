import { realpathSync } from "node:fs";
import { isSecret, isWithin } from "@harness/gate";
import { diskProblem, errorCode, isRecord, parseJson, readRegularFile } from "@harness/host";
import type { LeftRow } from "./leftover.ts";

const MAX_BYTES = 1024 * 1024;

/** The text of another program's file; undefined if there is none. Never throws. */
export function readLeftText(path: string, home: string): { text: string } | { problem: string } | undefined {
  try {
    const real = realpathSync(path);
    // A link may lead anywhere, and the text may end up in a prompt.
    if (real !== path && !isWithin(real, realpathSync(home)))
      return { problem: "it is a link to a file outside your home folder" };
    if (isSecret(real)) return { problem: "it is a link to a file that may hold secrets" };
    const bytes = readRegularFile(real, { maxBytes: MAX_BYTES, followLinks: false });
    return { text: bytes.toString("utf8").replace(/^\uFEFF/, "") };
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    return { problem: diskProblem(error, "read it", path) };
  }
}

/** The same for JSON, of any shape. */
export function readLeftJson(path: string, home: string): { value: unknown } | { problem: string } | undefined {
  const read = readLeftText(path, home);
  if (!read || "problem" in read) return read;
  if (read.text.trim() === "") return undefined;
  const json = parseJson(read.text);
  return "why" in json ? { problem: `it is not valid JSON (line ${json.line}, column ${json.column})` } : json;
}

/** The same for an object. */
export function readLeftObject(path: string, home: string): { row: LeftRow } | { problem: string } | undefined {
  const read = readLeftJson(path, home);
  if (!read || "problem" in read) return read;
  return isRecord(read.value) ? { row: read.value } : { problem: "it has no object with settings" };
}

/** Lines of `key=value`, as in a shell. The first value of a key counts. */
export function readLeftConf(path: string, home: string): { row: LeftRow } | { problem: string } | undefined {
  const read = readLeftText(path, home);
  if (!read || "problem" in read) return read;
  const row: Record<string, unknown> = Object.create(null);
  for (const line of read.text.split("\n")) {
    const [, name, value = ""] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && !Object.hasOwn(row, name)) row[name] = value.replace(/^(["'])(.*)\1$/, "$2");
  }
  return { row };
}
