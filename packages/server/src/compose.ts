import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { inspectEnv } from "@harness/providers/env";
import { closePlaces, openLogFile, openSpendLedger, openStore, placesOf } from "@harness/storage";
import { builtinTools, endOrphans } from "@harness/tools";
import { HarnessServer } from "./harness-server.ts";
import { composeModels } from "./models/compose-models.ts";
import { SpendDesk } from "./models/spend-desk.ts";
import { LiveSessions } from "./sessions/live-sessions.ts";
import { SessionShelf } from "./sessions/session-shelf.ts";
import { withoutSecrets } from "./sessions/without-secrets.ts";
import { SettingsDesk } from "./settings-desk.ts";
import { nodeClock } from "./system/node-clock.ts";
import { randomIds } from "./system/random-ids.ts";
import { realPaths } from "./system/real-paths.ts";
import { HudBoard } from "./workspace/hud-board.ts";

/** After start-up, which it must not slow down. */
const ORPHAN_DELAY_MS = 1_000;

export type ServerOptions = {
  version: string;
  /** The folder whose settings and `.env` hold where a request names none. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** A client asked the process to end. */
  exit?(): void;
};

/** Puts a server together: the one place that knows every package. */
export function composeServer({ version, cwd, env, exit = () => undefined }: ServerOptions): HarnessServer {
  const home = env.HOME ?? homedir();
  const places = placesOf(env, home);
  closePlaces(places);
  const logFile = openLogFile(places);
  const report = (error: unknown, where: string) =>
    logFile.write("error", where, error instanceof Error ? (error.stack ?? error.message) : String(error));
  const inspect = (folder: string, more: ServerOptions["env"] = {}) =>
    inspectEnv(folder, { ...env, ...more }, home, places.root);
  const settings = new SettingsDesk(places, inspect, cwd);
  const spend = new SpendDesk({ ledger: openSpendLedger(places), clock: nodeClock, report });
  const { models, credentials, logins } = composeModels({
    version,
    cwd,
    env,
    home,
    places,
    settings,
    inspect,
    spend,
    onLoginEnd: (update) => server.broadcast("auth/login_update", update),
    report,
  });
  const hud = new HudBoard(models);
  const sessions = new LiveSessions({
    clock: nodeClock,
    ids: randomIds,
    paths: realPaths,
    models,
    hud,
    configFolder: places.root,
    home,
    toolsFor: (folder) => {
      const { values } = settings.load(folder);
      const table = builtinTools({ toolTimeoutMs: values.tool_timeout_ms, extraEnv: passedEnv(values.pass_env, env) });
      // Keys may be set while the session is open.
      return withoutSecrets(table, () => credentials.redactor(inspect(folder).env));
    },
    report,
    onFact: (update) => spend.see(update),
    onListChange: () => server.broadcast("sessions/changed", {}),
  });
  // What a harness that was killed left running; nobody waits for it.
  setTimeout(() => void endOrphans(), ORPHAN_DELAY_MS).unref();
  const store = openStore(places.conversations, { clock: nodeClock });
  const server: HarnessServer = new HarnessServer({
    version,
    instanceId: randomBytes(4).toString("hex"),
    cwd,
    sessions,
    shelf: new SessionShelf({ store, sessions, settings, clock: nodeClock }),
    models,
    settings,
    credentials,
    logins,
    spend,
    hud,
    report,
    exit,
  });
  return server;
}

/** The variables that a setting names, as they are in the real environment: a project's `.env` is not for commands. */
function passedEnv(names: string, env: ServerOptions["env"]): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of names.split(/[\s,]+/)) {
    const value = env[name];
    if (value !== undefined) passed[name] = value;
  }
  return passed;
}
