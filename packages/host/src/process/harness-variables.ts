/** Facts for extension programs about where they run; absent if currently unknown. */
export type HarnessFacts = {
  version: string;
  /** The folder of harness itself, if known. */
  root?: string | undefined;
  /** `HARNESS_HOME` if the user has set it, otherwise `~/.harness`. */
  home: string;
  /** The user's configuration folder, and the one with the sessions. */
  config: string;
  sessions: string;
  /** The folders that extensions come from, from the most general to the most local. */
  sources: readonly string[];
  /** The folder that the agent works in. */
  cwd: string;
  /** The folder of the session, and the file for complaints of its programs. */
  session?: string | undefined;
  log?: string | undefined;
  stage?: string | undefined;
  provider?: string | undefined;
  model?: string | undefined;
  maxTurns?: number | undefined;
  toolTimeoutMs?: number | undefined;
};

/** The variables that tell programs of extensions about harness, under the names that bash harnesses established. */
export function harnessVariables(facts: HarnessFacts): Record<string, string> {
  const { toolTimeoutMs, maxTurns } = facts;
  const values: Record<string, string | undefined> = {
    HARNESS_VERSION: facts.version,
    HARNESS_ROOT: facts.root,
    HARNESS_HOME: facts.home,
    HARNESS_CONFIG_HOME: facts.config,
    HARNESS_SESSIONS: facts.sessions,
    HARNESS_SOURCES: facts.sources.join(":"),
    HARNESS_CWD: facts.cwd,
    HARNESS_SESSION: facts.session,
    HARNESS_LOG: facts.log,
    HARNESS_STAGE: facts.stage,
    HARNESS_PROVIDER: facts.provider,
    HARNESS_MODEL: facts.model,
    HARNESS_MAX_TURNS: maxTurns === undefined ? undefined : String(maxTurns),
    // In seconds: programs written for bash harnesses expect that.
    HARNESS_TOOL_TIMEOUT: toolTimeoutMs === undefined ? undefined : String(Math.ceil(toolTimeoutMs / 1000)),
  };
  const present = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return Object.fromEntries(present);
}
