import type { SourceInventory } from "@harness/extensions";
import type { AuditFile, PromptLog } from "@harness/storage";
import type {
  AgentCatalog,
  EgressGuard,
  Executables,
  FolderTrust,
  HookHost,
  KeysWatch,
  LastingRules,
  McpFolders,
  ModelCatalog,
  Overview,
  PendingLogins,
  ProviderCredentials,
  SessionTools,
  SettingsStore,
  SkillCatalog,
  SpendRecorder,
} from "@harness/workspace";
import type { ConnectedClients } from "./clients/connected-clients.ts";
import type { HudPublisher } from "./hud/hud-publisher.ts";
import type { SentRequests } from "./inspection/sent-requests.ts";
import type { LiveSessions } from "./sessions/live-sessions.ts";
import type { SessionCatalog } from "./sessions/session-catalog.ts";

/** The parts of the server that handlers and slash commands work with, by noun. */
export type HandlerHost = {
  readonly identity: {
    readonly version: string;
    readonly instanceId: string;
    /** The folder that applies where a request names none. */
    readonly cwd: string;
    /** Of the process; programs of the person's desktop need it. */
    readonly env: Readonly<Record<string, string | undefined>>;
  };
  readonly clients: ConnectedClients;
  readonly settings: SettingsStore;
  readonly sessions: {
    readonly live: LiveSessions;
    readonly catalog: SessionCatalog;
    readonly hud: HudPublisher;
    /** The last requests of their agents. */
    readonly sent: SentRequests;
    /** The named agents that sessions can be given. */
    readonly agents: AgentCatalog;
    readonly skills: SkillCatalog;
    /** What a person finds in a folder. */
    overview(cwd: string, since: string | undefined): Promise<Overview>;
    /** What the person has typed in all of them. */
    readonly prompts: PromptLog;
    /** Where they are stored. */
    readonly folder: string;
  };
  readonly models: {
    readonly choice: ModelCatalog;
    readonly spend: SpendRecorder;
    readonly credentials: ProviderCredentials;
    readonly logins: PendingLogins;
  };
  /** What people bring along. */
  readonly extensions: {
    readonly sources: SourceInventory;
    readonly hooks: HookHost;
    readonly mcp: McpFolders;
    readonly programs: Executables;
    readonly tools: SessionTools;
    /** Keys of the window. */
    readonly keys: KeysWatch;
    /** The person's own source. */
    readonly ownFolder: string;
  };
  /** Rules, trust and local-only mode, and the log of decisions. */
  readonly safety: {
    readonly rules: LastingRules;
    readonly audit: AuditFile;
    readonly trust: FolderTrust;
    readonly egress: EgressGuard;
  };
};

/** The ends of a server and of its process. */
export type ServerEnds = {
  /** Ends all work and writes everything down; safe to call again. */
  shutdown(): Promise<void>;
  /** Ends the process that the server runs in. */
  exit(): void;
};
