import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { AgentMeter } from "@harness/core";
import type { RuleTool } from "@harness/gate";
import type { SessionUpdate } from "@harness/protocol";
import {
  type AuditFile,
  KeyFile,
  openAudit,
  openPromptLog,
  openSpendLedger,
  openStore,
  worktreeRemoval,
} from "@harness/storage";
import { endOrphansLater } from "@harness/tools";
import {
  AgentCatalog,
  type Bootstrap,
  type BootstrapOptions,
  bootstrap,
  FairScheduler,
  folderOverview,
  folderTexts,
  GitEnvironments,
  HookHost,
  KeysWatch,
  LastingRules,
  type McpFolders,
  type ModelCatalog,
  nodeClock,
  openExecutables,
  openMcp,
  openModels,
  type ProviderCredentials,
  promptsOf,
  RunFiles,
  randomIds,
  realPaths,
  SkillCatalog,
  SpendRecorder,
  sandboxFor,
  sessionTools,
} from "@harness/workspace";
import { ConnectedClients } from "./clients/connected-clients.ts";
import { openCommands } from "./commands/open-commands.ts";
import { followChange } from "./follow-changes.ts";
import type { HandlerHost } from "./handler-host.ts";
import { HarnessServer } from "./harness-server.ts";
import { HudPublisher } from "./hud/hud-publisher.ts";
import { SentRequests } from "./inspection/sent-requests.ts";
import { LiveSessions } from "./sessions/live-sessions.ts";
import { SessionCatalog } from "./sessions/session-catalog.ts";
import { type FolderDeps, sessionFactory } from "./sessions/session-factory.ts";
import { sessionFiles, worktreesPlace } from "./sessions/session-files.ts";
import type { SessionObserver } from "./sessions/session-observer.ts";

/** Late enough not to slow down the start. */
const ORPHAN_DELAY_MS = 1_000;
const WATCH_DELAY_MS = 200;

export type ServerOptions = BootstrapOptions & {
  version: string;
  /** Called when a client asks the process to end. */
  exit?(): void;
};

/** Puts a server together: the one place that knows every package. */
export function composeServer({ version, exit = () => undefined, ...options }: ServerOptions): HarnessServer {
  const base = bootstrap(options);
  const { machine, configPaths, report, trust, sources, settings, egress, inspect } = base;
  const { cwd } = machine;
  const clients = new ConnectedClients();
  const spend = new SpendRecorder({ ledger: openSpendLedger(configPaths), clock: nodeClock, report });
  const redactor = (folder: string) => credentials.redactor(inspect(folder).env);
  const folderVariables = (folder: string, of: string) => programs.environments.forPrograms(folder, of);
  const hooks: HookHost = new HookHost({ base, version, now: nodeClock.now, redactor, folderVariables });
  const { models, credentials, logins } = openModels(base, {
    version,
    resolveModel: (folder, wanted) => hooks.outer.resolve(folder, wanted),
    spend,
    onLoginEnd: (update) => clients.broadcast("auth/login_update", update),
    onWaiting: (servers) => clients.broadcast("providers/waiting", { servers }),
  });
  const audit = openAudit({ configPaths, clock: nodeClock, redactor });
  const prompts = openPromptLog({ configPaths, clock: nodeClock, redactor });
  const gitEnvironments = new GitEnvironments();
  const hud = new HudPublisher(models, egress, gitEnvironments, {
    version,
    command: (folder) => settings.live(folder).values.statusline,
    environment: (folder) => programs.environment(folder),
    sandbox: (folder, permissionMode) => sandbox(folder, permissionMode),
  });
  settings.watch.listen(() => {
    followChange(host);
    hud.refreshAll();
    clients.broadcast("settings/changed", { version: settings.live(cwd).version });
  });
  const keys = new KeysWatch(new KeyFile(configPaths), () => clients.broadcast("keys/changed", {}));
  const observers = [spend, hud, settings.watch, listObserver(clients), modelObserver(models)];
  const mcp = openMcp(base, {
    version,
    redactor: (env) => credentials.redactor(env),
    onChanged: (folder) => hud.refreshFolder(folder),
  });
  const { live, sent, catalog, rules, agents, skills, commands, overview, programs, tools, sandbox } = composeSessions(
    base,
    {
      version,
      models,
      credentials,
      audit,
      observers,
      gitEnvironments,
      brought: { hooks, mcp },
    },
  );
  // Commands that a killed harness left running; nothing waits for this.
  endOrphansLater(ORPHAN_DELAY_MS);
  setTimeout(() => settings.watch.follow(cwd), WATCH_DELAY_MS).unref();
  const host: HandlerHost = {
    identity: { version, instanceId: randomBytes(4).toString("hex"), cwd, env: machine.env },
    clients,
    settings,
    sessions: { live, catalog, hud, sent, agents, skills, overview, prompts, folder: configPaths.conversations },
    models: { choice: models, spend, credentials, logins },
    extensions: { sources, hooks, mcp, programs, tools, keys, ownFolder: configPaths.root },
    safety: { rules, audit, trust, egress },
  };
  return new HarnessServer({ host, commands, exit, report });
}

type SessionDeps = {
  version: string;
  models: ModelCatalog;
  credentials: ProviderCredentials;
  audit: AuditFile;
  observers: readonly SessionObserver[];
  gitEnvironments: GitEnvironments;
  /** What people bring along, besides files that are found. */
  brought: { hooks: HookHost; mcp: McpFolders };
};

/** Live and stored sessions, and the rules that outlive them. */
function composeSessions(
  base: Bootstrap,
  { version, models, credentials, audit, observers, gitEnvironments, brought }: SessionDeps,
) {
  const { hooks, mcp } = brought;
  const { home, cwd, env } = base.machine;
  const { configPaths, stamps, report, trust, sources, settings, egress, inspect } = base;
  const ruleToolsNow = (): RuleTool[] => tools.forRules([home, cwd]);
  const rules = new LastingRules({
    configPaths,
    clock: nodeClock,
    stamps,
    settings,
    ruleTools: ruleToolsNow,
    isTrusted: (folder, file) => trust.isTrusted(folder, file),
    changed: () => live.reevaluate(),
  });
  const onTrusted = () => {
    models.forget();
    live.reevaluate();
  };
  const programs = openExecutables(base, { version, credentials, onTrusted });
  const tools = sessionTools({ settings, credentials, egress, policies: rules, env, inspect, programs });
  const agents = new AgentCatalog({ configFolder: configPaths.root, sources, trust, tools: tools.listed });
  const texts = folderTexts(base, gitEnvironments);
  const skills = new SkillCatalog(sources);
  const runFiles = new RunFiles({ home, env, stamps, sources, settings: (folder) => settings.live(folder).values });
  const folder: FolderDeps = {
    tools: { of: tools.of, mcp: (cwd, asked) => mcp.forSession(cwd, asked) },
    sandbox: sandboxFor(base, runFiles),
    gate: {
      policies: (cwd) => rules.at(cwd),
      settings: (cwd) => ({
        ...settings.gate(cwd),
        readableFolders: skills.folders(cwd),
        runFiles: runFiles.withProgramFolders(cwd),
      }),
    },
    files: sessionFiles(base),
    extensions: (session) => hooks.extensions(session),
    requests: (cwd) => ({
      chooseModel: (config) => models.choose(cwd, config),
      ...texts(cwd),
      agents: () => agents.at(cwd),
      skills: skills.source(cwd),
    }),
    redactor: (cwd) => credentials.redactor(inspect(cwd).env),
  };
  const sent = new SentRequests(nodeClock.now);
  const pace = new FairScheduler(nodeClock.monotonicMs, setImmediate);
  const openSession = sessionFactory({
    runtime: { clock: nodeClock, ids: randomIds, pace: () => pace.turn(), agentMeter: new AgentMeter(), report },
    paths: realPaths(home),
    audit,
    folder,
    modePrompts: promptsOf(join(configPaths.root, "prompts"), report),
    sent,
  });
  const live: LiveSessions = new LiveSessions(openSession, [...observers, sent, hooks.claude]);
  const store = openStore(configPaths.conversations, { clock: nodeClock });
  const catalog = new SessionCatalog({
    store,
    sessions: live,
    settings,
    agents,
    clock: nodeClock,
    ruleTools: ruleToolsNow,
    worktreesOf: (sessionId) => worktreeRemoval(worktreesPlace(configPaths, sessionId), report),
  });
  const commands = openCommands(sources, { programs, skills, mcpOf: (at, id = "") => live.get(id)?.mcp ?? mcp.at(at) });
  const overview = folderOverview(base, texts, gitEnvironments);
  return { live, sent, catalog, rules, agents, skills, commands, programs, tools, overview, sandbox: folder.sandbox };
}

/** Tells clients when lists of sessions show something else. */
function listObserver(clients: ConnectedClients): SessionObserver {
  const listChanged = () => clients.broadcast("sessions/changed", {});
  return { onFact: (fact) => isShownInLists(fact) && listChanged(), onClosed: listChanged };
}

/**
 * Chooses a session's model as the session opens: a server is asked for its models and their context windows while the
 * first prompt is stored. The first request takes over the choice, or what prevents it.
 */
function modelObserver(models: ModelCatalog): SessionObserver {
  return {
    onOpened({ session, log }) {
      models.choose(log.header.cwd, session.state.config).catch(() => undefined);
    },
  };
}

function isShownInLists({ update }: SessionUpdate): boolean {
  return update.sessionUpdate === "state_update" || update.sessionUpdate === "session_info_update";
}
