import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { AgentMeter, type SessionStore } from "@harness/core";
import { SocketLocations } from "@harness/host";
import type { SessionUpdate } from "@harness/protocol";
import {
  HintRecord,
  KeyFile,
  openAudit,
  openPromptLog,
  openSpendLedger,
  openStore,
  worktreeRemoval,
} from "@harness/storage";
import { endOrphansLater } from "@harness/tools";
import {
  type Bootstrap,
  type BootstrapOptions,
  bootstrap,
  FairScheduler,
  KeysWatch,
  type ModelCatalog,
  nodeClock,
  openModels,
  openWorkspaces,
  promptsOf,
  randomIds,
  realPaths,
  SessionLocations,
  SessionSandboxes,
  SpendRecorder,
  type Workspaces,
  worktreesFolder,
} from "@harness/workspace";
import { ConnectedClients } from "./clients/connected-clients.ts";
import { openCommands } from "./commands/open-commands.ts";
import { followChange } from "./follow-changes.ts";
import type { HandlerHost } from "./handler-host.ts";
import { HarnessServer } from "./harness-server.ts";
import { HudPublisher } from "./hud/hud-publisher.ts";
import { SentRequests } from "./inspection/sent-requests.ts";
import { openPresence, type Presence, type PresenceDeps } from "./listening/presence.ts";
import { IndexScheduler } from "./sessions/index-scheduler.ts";
import { agentsAtWork } from "./sessions/live-entry.ts";
import { LiveSessions } from "./sessions/live-sessions.ts";
import { NameScheduler } from "./sessions/name-scheduler.ts";
import { SessionCatalog } from "./sessions/session-catalog.ts";
import type { SessionObserver } from "./sessions/session-observer.ts";
import { type SessionOpenerOptions, sessionOpener } from "./sessions/session-opener.ts";
import { DeletedSessions } from "./sessions/stored/deleted-sessions.ts";
import { StreamObserver } from "./sessions/stream/stream-observer.ts";
import { openTracing, type Tracing } from "./tracing/open-tracing.ts";

/** Late enough not to slow down the start. */
const ORPHAN_DELAY_MS = 1_000;
const WATCH_DELAY_MS = 200;

export type ServerOptions = BootstrapOptions & {
  version: string;
  /** Called when a client asks the process to end. */
  exit?(): void;
};

/** Assembles a server: the only place that knows every package. */
export function composeServer({ version, exit = () => undefined, ...options }: ServerOptions): HarnessServer {
  const base = bootstrap(options);
  const { machine, configPaths, report, settings, egress } = base;
  const clients = new ConnectedClients();
  const spend = new SpendRecorder({ ledger: openSpendLedger(configPaths), clock: nodeClock, report });
  const { workspaces, hooks, mcpLogs, search } = openWorkspaces(base, {
    version,
    trustedHash: options.trustedHash,
    credentials: () => credentials,
    embedders: () => embedders,
    rerankers: () => rerankers,
    events: {
      onRules: () => live.reevaluate(),
      onTrusted() {
        models.forget();
        live.reevaluate();
      },
      onMcp: (folder) => hud.refreshFolder(folder),
      onIndexing(progress) {
        clients.broadcast("index/progress", progress);
        hud.refreshFolder(progress.cwd);
      },
    },
  });
  const { models, embedders, rerankers, credentials, logins } = openModels(base, {
    version,
    own: () => workspaces.own,
    spend,
    onLoginEnd: (update) => clients.broadcast("auth/login_update", update),
    onWaiting: (servers) => clients.broadcast("providers/waiting", { servers }),
  });
  const redactor = (folder: string) => workspaces.at(folder).safety.redactor();
  const audit = openAudit({ configPaths, clock: nodeClock, redactor });
  const sandboxes = new SessionSandboxes({ configFolder: configPaths.root, home: machine.home, env: machine.env });
  const hud = new HudPublisher({ models, sandboxes, version });
  const sent = new SentRequests(nodeClock.now);
  const store = openSessionStore(base, workspaces);
  const deleted = openDeleted(base, store);
  const isWorking = () => live.all().some((entry) => agentsAtWork(entry) > 0);
  const index = openScheduler({ store, deleted, isWorking }, report);
  const names = new NameScheduler({ later, report });
  const presence = presenceOf(base, { clients, exit, sessions: () => live.all(), server: () => server });
  const lists = listObserver(clients);
  const observers = [workspaces, spend, hud, lists, modelObserver(models), sent, hooks.claude, index, names];
  const tracing = tracingOf(base, version, workspaces);
  const parts = sessionBasis(base, { tracing, store, models, sandboxes });
  const opened = openSessions(
    { parts, audit, sent, tracing, spend, observers },
    { store, workspaces, models, presence },
  );
  const { live } = opened;
  settings.watch.listen(() => announceSettings(host));
  // Ends commands that a killed harness left running; nothing waits for this.
  endOrphansLater(ORPHAN_DELAY_MS);
  setTimeout(() => settings.watch.follow(workspaces.own.settings), WATCH_DELAY_MS).unref();
  const host: HandlerHost = {
    identity: { version, instanceId: randomBytes(4).toString("hex"), cwd: machine.cwd, env: machine.env, presence },
    clients,
    workspaces,
    sessions: { ...opened, deleted, hud, index, sent, folder: configPaths.conversations },
    models: { choice: models, embedders, rerankers, spend, credentials, logins },
    person: {
      ...{ settings, hints: new HintRecord(configPaths), folder: configPaths.root },
      keys: new KeysWatch(new KeyFile(configPaths), () => clients.broadcast("keys/changed", {})),
      prompts: openPromptLog({ configPaths, clock: nodeClock, redactor }),
    },
    records: { audit, egress, mcpLogs, hooks, codeSearch: search, tracing },
  };
  const server = new HarnessServer({ host, commands: openCommands(), exit, report });
  return server;
}

function openSessionStore({ configPaths, machine }: Bootstrap, workspaces: Workspaces): SessionStore {
  const places = new SessionLocations({ configPaths, machine, workspaces });
  return openStore(configPaths.conversations, { clock: nodeClock, places });
}

/** After the files of settings have changed. */
function announceSettings(host: HandlerHost): void {
  followChange(host);
  host.sessions.hud.refreshAll();
  host.clients.broadcast("settings/changed", { version: host.workspaces.own.settings.current.version });
}

type PartOptions = Pick<SessionOpenerOptions["share"], "models" | "sandboxes"> & {
  store: SessionStore;
  tracing: Tracing | undefined;
};
type SessionBasis = Pick<SessionOpenerOptions, "runtime" | "modePrompts" | "stored" | "share">;

/** Shared by all sessions, live ones and those that are replayed. */
function sessionBasis({ machine, configPaths, report }: Bootstrap, options: PartOptions): SessionBasis {
  const { tracing, store, models, sandboxes } = options;
  const pace = new FairScheduler(nodeClock.monotonicMs, setImmediate);
  return {
    runtime: {
      clock: nodeClock,
      ids: randomIds,
      pace: () => pace.turn(),
      agentMeter: new AgentMeter(),
      report,
      ...(tracing && { traceparentOf: tracing.traceparentOf }),
    },
    modePrompts: promptsOf(join(configPaths.root, "prompts"), report),
    stored: {
      folder: configPaths.conversations,
      search: (search) => store.search(search),
      inspect: (name) => store.inspect(name),
      load: (name) => store.load(name),
    },
    share: {
      clock: nodeClock,
      paths: realPaths(machine.home),
      sandboxes,
      models,
    },
  };
}

type LiveOptions = Pick<SessionOpenerOptions, "audit" | "spend"> & {
  parts: SessionBasis;
  sent: SentRequests;
  tracing: Tracing | undefined;
  observers: readonly SessionObserver[];
};

type StoredOptions = { store: SessionStore; workspaces: Workspaces; models: ModelCatalog; presence: Presence };

/** Live sessions, stored ones, and those that are replayed. */
function openSessions(
  { parts, audit, sent, tracing, spend, observers }: LiveOptions,
  { store, workspaces, models, presence }: StoredOptions,
): Pick<HandlerHost["sessions"], "live" | "catalog" | "replay"> {
  const watchSent: SentRequests["watch"] = (...from) => sent.watch(...from);
  const openSession = sessionOpener({
    ...parts,
    ...{ audit, spend },
    watch: {
      sent: tracing?.noting(watchSent) ?? watchSent,
      beside: tracing?.beside ?? (() => () => undefined),
    },
  });
  const all = [...observers, presence.observer, new StreamObserver(), ...(tracing ? [tracing.observer] : [])];
  const sessions = new LiveSessions(openSession, all, () => presence.lifetime.isKept);
  const { socketOf } = presence;
  const catalog = new SessionCatalog({ store, sessions, workspaces, clock: nodeClock, socketOf });
  return { live: sessions, catalog, replay: { ...parts, models, reader: catalog.reader, workspaces } };
}

/** Undefined if no collector is named; that of a process with a session in local-only mode must be in the own network, too. */
function tracingOf(
  { machine, egress, report }: Bootstrap,
  version: string,
  workspaces: Workspaces,
): Tracing | undefined {
  const { env } = machine;
  const guard = egress.guarding.bind(egress);
  return openTracing({ env, version, guard, own: () => workspaces.own, report, later, now: nodeClock.now });
}

type PresenceInput = Pick<PresenceDeps, "clients" | "sessions" | "exit"> & { server(): HarnessServer };

function presenceOf({ machine, configPaths, report }: Bootstrap, { server, ...parts }: PresenceInput): Presence {
  let sockets: SocketLocations | undefined;
  return openPresence({
    ...{ ...parts, later, report },
    sockets() {
      sockets ??= new SocketLocations(machine.env, configPaths.root);
      return sockets;
    },
    admit: (channel) => server().admit(channel, "socket"),
  });
}

/** Keeps no process alive. */
function later(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
}

type Upkeep = { store: SessionStore; deleted: DeletedSessions; isWorking(): boolean };

function openScheduler({ store, deleted, isWorking }: Upkeep, report: Bootstrap["report"]): IndexScheduler {
  const refresh = async (signal: AbortSignal) => {
    await store.refreshIndex(signal);
    await deleted.emptyBin(signal);
  };
  const index = new IndexScheduler({ refresh, isWorking, later, report });
  index.begin();
  return index;
}

function openDeleted({ configPaths, report }: Bootstrap, store: SessionStore): DeletedSessions {
  const { conversations } = configPaths;
  return new DeletedSessions({
    store,
    worktreesOf(sessionId, binned) {
      const records = binned === undefined ? {} : { records: join(binned, "worktrees") };
      return worktreeRemoval(worktreesFolder(conversations, sessionId), report, records);
    },
  });
}

/** Notifies clients when lists of sessions would show something new. */
function listObserver(clients: ConnectedClients): SessionObserver {
  const listChanged = () => clients.broadcast("sessions/changed", {});
  return { see: (fact) => isShownInLists(fact) && listChanged(), onClosed: listChanged };
}

/**
 * Chooses a session's model when the session opens: a server is asked for its models and their context windows while
 * the first prompt is being stored. The first request uses the choice, or reports what prevents it.
 */
function modelObserver(models: ModelCatalog): SessionObserver {
  return {
    onOpened({ session, workspace }) {
      models.choose(workspace, session.state.config).catch(() => undefined);
    },
  };
}

function isShownInLists({ update }: SessionUpdate): boolean {
  return ["state_update", "session_info_update", "archive_update"].includes(update.sessionUpdate);
}
