import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { coreToolNames } from "@harness/core";
import { type RuleTool, ruleTools } from "@harness/gate";
import type { SessionUpdate } from "@harness/protocol";
import { type AuditFile, openAudit, openCheckpoints, openSpendLedger, openStore } from "@harness/storage";
import { endOrphans } from "@harness/tools";
import { type Bootstrap, type BootstrapOptions, bootstrap } from "./bootstrap.ts";
import { ConnectedClients } from "./clients/connected-clients.ts";
import { HarnessServer } from "./harness-server.ts";
import { HudPublisher } from "./hud/hud-publisher.ts";
import { composeModels, type ModelRoom } from "./models/compose-models.ts";
import { SpendDesk } from "./models/spend-desk.ts";
import { LastingRules } from "./permissions/lasting-rules.ts";
import { promptsOf } from "./prompts/prompt-folder.ts";
import { LiveSessions } from "./sessions/live-sessions.ts";
import { SessionCatalog } from "./sessions/session-catalog.ts";
import { type FolderParts, sessionFactory } from "./sessions/session-factory.ts";
import type { SessionObserver } from "./sessions/session-observer.ts";
import { nodeClock } from "./system/node-clock.ts";
import { randomIds } from "./system/random-ids.ts";
import { realPaths } from "./system/real-paths.ts";
import { sandboxFor } from "./tools/session-sandbox.ts";
import { sessionTools } from "./tools/session-tools.ts";
import { readInstructionFiles } from "./workspace/instruction-files.ts";

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
  const base = bootstrap(options);
  const { places, report, trust, settings, egress, inspect } = base;
  const clients = new ConnectedClients();
  const spend = new SpendDesk({ ledger: openSpendLedger(places), clock: nodeClock, report });
  const { models, credentials, logins } = composeModels({
    ...base,
    version,
    cwd,
    env,
    spend,
    onLoginEnd: (update) => clients.broadcast("auth/login_update", update),
  });
  const audit = openAudit({
    places,
    clock: nodeClock,
    redactor: (folder) => credentials.redactor(inspect(folder).env),
  });
  const hud = new HudPublisher(models, egress);
  const listChanged = () => clients.broadcast("sessions/changed", {});
  const observers: SessionObserver[] = [
    { onFact: (fact) => spend.see(fact) },
    hud,
    { onFact: (fact) => isShownInLists(fact) && listChanged(), onClosed: listChanged },
  ];
  const { live, catalog, rules } = composeSessions(base, { models, credentials, env, audit, observers });
  // Commands that a killed harness left running; nothing waits for this.
  setTimeout(() => void endOrphans(), ORPHAN_DELAY_MS).unref();
  return new HarnessServer({
    host: {
      identity: { version, instanceId: randomBytes(4).toString("hex"), cwd },
      clients,
      settings,
      sessions: { live, catalog, hud },
      models: { choice: models, spend, credentials, logins },
      safety: { rules, audit, trust, egress },
    },
    exit,
    report,
  });
}

type SessionRoomParts = Pick<ModelRoom, "models" | "credentials"> & {
  env: BootstrapOptions["env"];
  audit: AuditFile;
  observers: readonly SessionObserver[];
};

/** Live and stored sessions, and the rules that outlive them. */
function composeSessions(base: Bootstrap, { models, credentials, env, audit, observers }: SessionRoomParts) {
  const { home, places, report, trust, settings, egress, inspect } = base;
  const ruleToolsNow = (): RuleTool[] => ruleTools(tools(home).tools, coreToolNames);
  const rules = new LastingRules({
    places,
    clock: nodeClock,
    settings,
    ruleTools: ruleToolsNow,
    isTrusted: (folder, file) => trust.isTrusted(folder, file),
    changed: () => live.reevaluate(),
  });
  const tools = sessionTools({ settings, credentials, egress, policies: rules, env, inspect });
  const folder: FolderParts = {
    tools,
    sandbox: sandboxFor({ settings, configFolder: places.root, home, path: env.PATH ?? "" }),
    policies: (cwd) => rules.at(cwd),
    gateSettings: (cwd) => settings.gate(cwd),
    checkpoints: checkpointsOf(base),
    instructionFiles: (cwd) =>
      readInstructionFiles(cwd, {
        configFolder: places.root,
        home,
        isUntrusted: (file) => trust.isUntrusted(cwd, file),
      }),
    chooseModel: (cwd, config) => models.choose(cwd, config),
  };
  const openSession = sessionFactory({
    runtime: { clock: nodeClock, ids: randomIds, report },
    paths: realPaths(home),
    audit,
    folder,
    modePrompts: promptsOf(join(places.root, "prompts"), report),
  });
  const live: LiveSessions = new LiveSessions(openSession, observers);
  const store = openStore(places.conversations, { clock: nodeClock });
  const catalog = new SessionCatalog({ store, sessions: live, settings, clock: nodeClock, ruleTools: ruleToolsNow });
  return { live, catalog, rules };
}

function isShownInLists({ update }: SessionUpdate): boolean {
  return update.sessionUpdate === "state_update" || update.sessionUpdate === "session_info_update";
}

/** Files of harness itself are never kept. */
function checkpointsOf({ places, settings, report }: Bootstrap): FolderParts["checkpoints"] {
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
