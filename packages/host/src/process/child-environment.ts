import { isAbsolute } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that every program needs; none contains a key. */
const BASIC = "PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR".split(" ");
/** Network access: proxies and trusted certificate authorities. */
export const NETWORK: readonly string[] = (
  "HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy ftp_proxy all_proxy no_proxy " +
  "SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO"
).split(" ");
const FOR_PROGRAMS = ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", ...NETWORK];

export const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/** The variables of ours that a child process gets: an allow-list, plus those named by `also`. */
export function passedEnvironment(env: Environment, also: readonly string[]): Record<string, string> {
  const names = new Set([...BASIC, ...also]);
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (names.has(name) || /^LC_[A-Z]+$/.test(name))) passed[name] = value;
  }
  return passed;
}

/**
 * Adds a folder's variables; null: unset. They do not override harness's own, or those that Claude-style hooks rely on.
 */
export function withVariables(
  env: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string | null>> = {},
): Record<string, string> {
  const all: Record<string, string> = { ...env };
  for (const [name, value] of Object.entries(added)) {
    if (/^(?:HARNESS|CLAUDE)_/.test(name)) continue;
    if (value === null) delete all[name];
    else all[name] = value;
  }
  return all;
}

/** The variables of a provider program: those above, its proxy settings, and those it declares. `ours` win. */
export function programEnvironment(
  env: Environment,
  declared: readonly string[],
  ours: Readonly<Record<string, string>>,
): Record<string, string> {
  const passed = passedEnvironment(env, [...FOR_PROGRAMS, ...declared]);
  // An empty or relative entry would run programs of the current folder.
  const folders = (passed.PATH ?? "").split(":").filter((folder) => isAbsolute(folder));
  return { ...passed, PATH: folders.length > 0 ? folders.join(":") : DEFAULT_PATH, HARNESS: "1", ...ours };
}
