import { dirname, join, relative } from "node:path";
import { readRegularFile } from "@harness/host";
import { globMatches } from "./section-pattern.ts";

const MAX_BYTES = 256 * 1024;
const MAX_FOLDERS = 64;

/**
 * The `charset` that `.editorconfig` files above a file give it, in lower case: the nearest file that sets one counts,
 * and `root = true` ends the search. Undefined: none, or `unset`.
 */
export function charsetOf(path: string): string | undefined {
  let folder = dirname(path);
  for (let level = 0; level < MAX_FOLDERS; level++) {
    const config = configAt(folder);
    const charset = config && charsetIn(config, relative(folder, path));
    if (charset !== undefined) return charset === "unset" ? undefined : charset;
    const parent = dirname(folder);
    if (isRoot(config) || parent === folder) return undefined;
    folder = parent;
  }
  return undefined;
}

function configAt(folder: string): string | undefined {
  try {
    return readRegularFile(join(folder, ".editorconfig"), { maxBytes: MAX_BYTES, followLinks: true }).toString();
  } catch {
    // Most folders have none, and an unreadable one decides nothing.
    return undefined;
  }
}

type Line = { section: string } | { key: string; value: string };

function* linesOf(config: string): Generator<Line> {
  for (const raw of config.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    if (line.startsWith("[") && line.endsWith("]")) yield { section: line.slice(1, -1) };
    const equals = line.indexOf("=");
    if (line.startsWith("[") || equals < 0) continue;
    const value = line
      .slice(equals + 1)
      .trim()
      .toLowerCase();
    yield { key: line.slice(0, equals).trim().toLowerCase(), value };
  }
}

/** The last matching section counts. */
function charsetIn(config: string, path: string): string | undefined {
  let isFor = false;
  let charset: string | undefined;
  for (const line of linesOf(config)) {
    if ("section" in line) isFor = globMatches(line.section, path);
    else if (isFor && line.key === "charset") charset = line.value;
  }
  return charset;
}

function isRoot(config: string | undefined): boolean {
  for (const line of linesOf(config ?? "")) {
    if ("section" in line) return false;
    if (line.key === "root") return line.value === "true";
  }
  return false;
}
