import { isAbsolute } from "node:path";
import type { Env } from "../wires/endpoint/endpoint.ts";

/** What every program needs to find its way, to its folders and through a proxy; no key is among it. */
const PASSED_ON = new Set(
  (
    "PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR XDG_CONFIG_HOME XDG_CACHE_HOME " +
    "HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS"
  ).split(" "),
);

/** The variables of a program: an allow-list, and of all others those that it says it uses. `ours` win. */
export function programEnvironment(
  env: Env,
  declared: readonly string[],
  ours: Readonly<Record<string, string>>,
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (PASSED_ON.has(name) || name.startsWith("LC_") || declared.includes(name))) {
      passed[name] = value;
    }
  }
  // An empty or relative entry would run programs of whatever folder we happen to stand in.
  const folders = (passed.PATH ?? "").split(":").filter((folder) => isAbsolute(folder));
  passed.PATH = folders.length > 0 ? folders.join(":") : "/usr/local/bin:/usr/bin:/bin";
  return { ...passed, HARNESS: "1", ...ours };
}
