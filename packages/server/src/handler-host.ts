import type { CallParams, ClientMethods, ClientNotifications, NotificationName } from "@harness/protocol";
import type { AuditFile } from "@harness/storage";
import type { PendingLogins } from "./credentials/pending-logins.ts";
import type { ProviderCredentials } from "./credentials/provider-credentials.ts";
import type { EgressGuard } from "./egress/egress-guard.ts";
import type { HudPublisher } from "./hud/hud-publisher.ts";
import type { ModelCatalog } from "./models/model-catalog.ts";
import type { SpendDesk } from "./models/spend-desk.ts";
import type { LastingRules } from "./permissions/lasting-rules.ts";
import type { Client } from "./sessions/client.ts";
import type { LiveSessions } from "./sessions/live-sessions.ts";
import type { SessionCatalog } from "./sessions/session-catalog.ts";
import type { SettingsStore } from "./settings/settings-store.ts";
import type { FolderTrust } from "./trust/folder-trust.ts";

type Tells = ClientMethods & ClientNotifications;

/** What handlers work with: the rooms of the server they belong to. */
export type HandlerHost = {
  readonly version: string;
  readonly instanceId: string;
  /** The folder that counts where a request names none. */
  readonly cwd: string;
  readonly clients: ReadonlySet<Client>;
  readonly sessions: LiveSessions;
  readonly catalog: SessionCatalog;
  readonly models: ModelCatalog;
  readonly settings: SettingsStore;
  readonly policies: LastingRules;
  readonly audit: AuditFile;
  readonly trust: FolderTrust;
  readonly credentials: ProviderCredentials;
  readonly logins: PendingLogins;
  readonly spend: SpendDesk;
  readonly hud: HudPublisher;
  readonly egress: EgressGuard;
  /** Ends all work and writes everything down; safe to call again. */
  shutdown(): Promise<void>;
  /** Ends the process, or whatever the server lives in. */
  exit(): void;
  /** Tells every client. */
  broadcast<M extends NotificationName<Tells>>(method: M, params: CallParams<Tells, M>): void;
};
