import { isAbsolute } from "node:path";
import { callMark } from "./harness-mark.ts";

const PASSED_ON = new Set("PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ COLORTERM TMPDIR NO_COLOR CI".split(" "));
const SECRET_NAME = /TOKEN|SECRET|PASSW|KEY|AUTH|CREDENTIAL|PRIVATE|COOKIE/i;

/** Set for every command: nothing may page, ask on a terminal, or believe that a person is watching. */
const FIXED = { HARNESS: "1", TERM: "dumb", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };

/**
 * What a command may see of our environment: an allow-list, so that no key reaches a program that the model chose.
 * `extra` is what the user listed by name; secrets are left out of it all the same.
 */
export function childEnvironment(
  ours: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>>,
  callId: string,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(ours)) {
    if (value !== undefined && (PASSED_ON.has(name) || name.startsWith("LC_"))) env[name] = value;
  }
  for (const [name, value] of Object.entries(extra)) if (!SECRET_NAME.test(name)) env[name] = value;
  // An empty or relative entry would run programs of whatever folder a command happens to stand in.
  const folders = (env.PATH ?? "").split(":").filter((folder) => isAbsolute(folder));
  env.PATH = folders.length > 0 ? folders.join(":") : "/usr/local/bin:/usr/bin:/bin";
  return { ...env, ...FIXED, ...callMark(callId) };
}
