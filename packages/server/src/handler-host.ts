import type { AuditFile, HintRecord, PromptLog } from "@harness/storage";
import type {
  CodeSearchEngine,
  EgressGuard,
  EmbedderCatalog,
  HookHost,
  KeysWatch,
  McpLogs,
  ModelCatalog,
  PendingLogins,
  ProviderCredentials,
  RerankerCatalog,
  SettingsStore,
  SpendRecorder,
  Workspaces,
} from "@harness/workspace";
import type { ConnectedClients } from "./clients/connected-clients.ts";
import type { HudPublisher } from "./hud/hud-publisher.ts";
import type { SentRequests } from "./inspection/sent-requests.ts";
import type { Presence } from "./listening/presence.ts";
import type { ReplayDeps } from "./replay/replay-stored.ts";
import type { IndexScheduler } from "./sessions/index-scheduler.ts";
import type { LiveSessions } from "./sessions/live-sessions.ts";
import type { SessionCatalog } from "./sessions/session-catalog.ts";
import type { DeletedSessions } from "./sessions/stored/deleted-sessions.ts";
import type { Tracing } from "./tracing/open-tracing.ts";

/** The parts of the server that handlers and slash commands work with, by noun. A folder's own parts are in its workspace. */
export type HandlerHost = {
  readonly identity: {
    readonly version: string;
    readonly instanceId: string;
    /** The folder that applies if a request names none. */
    readonly cwd: string;
    /** The environment of the process; programs of the user's desktop need it. */
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly presence: Presence;
  };
  readonly clients: ConnectedClients;
  readonly workspaces: Workspaces;
  readonly sessions: {
    readonly live: LiveSessions;
    readonly catalog: SessionCatalog;
    readonly deleted: DeletedSessions;
    readonly hud: HudPublisher;
    readonly index: IndexScheduler;
    /** The last requests of their agents. */
    readonly sent: SentRequests;
    readonly replay: ReplayDeps;
    /** Where they are stored. */
    readonly folder: string;
  };
  readonly models: {
    readonly choice: ModelCatalog;
    readonly embedders: EmbedderCatalog;
    readonly rerankers: RerankerCatalog;
    readonly spend: SpendRecorder;
    readonly credentials: ProviderCredentials;
    readonly logins: PendingLogins;
  };
  /** The user's own files, which apply in every folder. */
  readonly person: {
    readonly settings: SettingsStore;
    /** Keys of the window. */
    readonly keys: KeysWatch;
    /** The hints that they have seen. */
    readonly hints: HintRecord;
    /** Their earlier messages. */
    readonly prompts: PromptLog;
    /** The folder of their own source. */
    readonly folder: string;
  };
  /** harness's records about itself, and the programs that run next to it. */
  readonly records: {
    readonly audit: AuditFile;
    readonly egress: EgressGuard;
    readonly mcpLogs: McpLogs;
    readonly hooks: HookHost;
    /** Searches and indexes the code of all folders. */
    readonly codeSearch: CodeSearchEngine;
    /** Undefined if no collector is named. */
    readonly tracing: Tracing | undefined;
  };
};

/** Ends a server and its process. */
export type ServerEnds = {
  /** Ends all work and writes everything down; safe to call again. */
  shutdown(): Promise<void>;
  /** Ends the process that the server runs in. */
  exit(): void;
};
