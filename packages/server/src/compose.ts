import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { openCheckpoints, openSpendLedger, openStore } from "@harness/storage";
import { endOrphans } from "@harness/tools";
import { type Bootstrap, type BootstrapOptions, bootstrap } from "./bootstrap.ts";
import { HarnessServer } from "./harness-server.ts";
import { HudPublisher } from "./hud/hud-publisher.ts";
import { composeModels } from "./models/compose-models.ts";
import { SpendDesk } from "./models/spend-desk.ts";
import { composeGate } from "./permissions/compose-gate.ts";
import { promptsOf } from "./prompts/prompt-folder.ts";
import { LiveSessions, type LiveSessionsParts } from "./sessions/live-sessions.ts";
import { SessionCatalog } from "./sessions/session-catalog.ts";
import { nodeClock } from "./system/node-clock.ts";
import { randomIds } from "./system/random-ids.ts";
import { realPaths } from "./system/real-paths.ts";
import { sandboxFor } from "./tools/session-sandbox.ts";
import { sessionTools } from "./tools/session-tools.ts";

/** After start-up, which it must not slow down. */
const ORPHAN_DELAY_MS = 1_000;

export type ServerOptions = BootstrapOptions & {
  version: string;
  /** A client asked the process to end. */
  exit?(): void;
};

/** Puts a server together: the one place that knows every package. */
export function composeServer({ version, exit = () => undefined, ...options }: ServerOptions): HarnessServer {
  const { cwd, env } = options;
  const ground = bootstrap(options);
  const { home, places, report, trust, inspect, settings, egress } = ground;
  const spend = new SpendDesk({ ledger: openSpendLedger(places), clock: nodeClock, report });
  const { models, credentials, logins } = composeModels({
    ...ground,
    version,
    cwd,
    env,
    spend,
    onLoginEnd: (update) => server.broadcast("auth/login_update", update),
  });
  const { policies, audit, forSessions } = composeGate({
    places,
    settings,
    sessions: () => sessions,
    redactor: (folder) => credentials.redactor(inspect(folder).env),
    isTrusted: (folder, file) => trust.isTrusted(folder, file),
  });
  const hud = new HudPublisher(models, egress);
  const sessions: LiveSessions = new LiveSessions({
    clock: nodeClock,
    ids: randomIds,
    paths: realPaths(home),
    models,
    hud,
    configFolder: places.root,
    home,
    isUntrusted: (folder, file) => trust.isUntrusted(folder, file),
    modePromptsFor: promptsOf(join(places.root, "prompts"), report),
    toolsFor: sessionTools({ settings, credentials, egress, policies, env, inspect }),
    ...forSessions,
    sandboxFor: sandboxFor({ settings, configFolder: places.root, home, path: env.PATH ?? "" }),
    checkpointsFor: checkpointsOf(ground),
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
    catalog: new SessionCatalog({ store, sessions, settings, clock: nodeClock }),
    models,
    settings,
    policies,
    audit,
    trust,
    credentials,
    logins,
    spend,
    hud,
    egress,
    report,
    exit,
  });
  return server;
}

/** Never of our own folders. */
function checkpointsOf({ places, settings, report }: Bootstrap): LiveSessionsParts["checkpointsFor"] {
  return (folder, roots) =>
    openCheckpoints({
      folder: join(places.root, "checkpoints"),
      roots,
      leaveOut: [places.root, places.conversations, places.logs],
      maxFileBytes: settings.load(folder).values.checkpoint_max_file_bytes,
      clock: nodeClock,
      report,
    });
}
