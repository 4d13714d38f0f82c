import { readRegularFile } from "@harness/host";

/** The settings in the `.conf` file beside a hook. */
export type HookConf = {
  timeoutMs: number;
  /** The user's environment variables that it gets besides the usual ones. */
  passEnv: readonly string[];
  /** Sentences about ignored lines. */
  problems: readonly string[];
};

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_S = 3_600;
const MAX_BYTES = 16 * 1024;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Parses lines `timeout=SECONDS` and `pass_env=NAME,NAME`; skips empty lines and lines that begin with `#`. Pure. */
export function parseHookConf(text: string, file: string): HookConf {
  const problems: string[] = [];
  let timeoutMs = DEFAULT_TIMEOUT_MS;
  const passEnv = new Set<string>();
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const [, key = "", value = ""] = /^([^=]*)=(.*)$/.exec(line) ?? [];
    const where = `${file}, line ${index + 1}`;
    if (key.trim() === "timeout") {
      const seconds = Number(value.trim());
      if (value.trim() !== "" && seconds > 0 && seconds <= MAX_TIMEOUT_S) timeoutMs = Math.ceil(seconds * 1000);
      else problems.push(`${where}: timeout must be a number of seconds, up to ${MAX_TIMEOUT_S}.`);
    } else if (key.trim() === "pass_env") {
      for (const name of value.split(/[\s,]+/).filter((each) => each !== "")) {
        if (VARIABLE.test(name)) passEnv.add(name);
        else problems.push(`${where}: ${JSON.stringify(name)} is not a valid variable name.`);
      }
    } else problems.push(`${where}: write timeout=SECONDS or pass_env=NAME,NAME.`);
  }
  return { timeoutMs, passEnv: [...passEnv], problems };
}

/** `path`: undefined if there is none. Never throws. */
export function readHookConf(path: string | undefined): HookConf {
  if (path === undefined) return { timeoutMs: DEFAULT_TIMEOUT_MS, passEnv: [], problems: [] };
  try {
    return parseHookConf(readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: true }).toString("utf8"), path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { timeoutMs: DEFAULT_TIMEOUT_MS, passEnv: [], problems: [`${path} cannot be read: ${why}.`] };
  }
}
