import type { CallParams, ClientMethods, ClientNotifications, NotificationName } from "@harness/protocol";
import type { AuditFile } from "@harness/storage";
import type { LoginDesk } from "./credentials/pending-logins.ts";
import type { CredentialDesk } from "./credentials/provider-credentials.ts";
import type { EgressDesk } from "./egress/egress-guard.ts";
import type { HudBoard } from "./hud/hud-publisher.ts";
import type { ModelDesk } from "./models/model-desk.ts";
import type { SpendDesk } from "./models/spend-desk.ts";
import type { PolicyDesk } from "./permissions/lasting-rules.ts";
import type { Client } from "./sessions/client.ts";
import type { LiveSessions } from "./sessions/live-sessions.ts";
import type { SessionShelf } from "./sessions/session-catalog.ts";
import type { SettingsDesk } from "./settings/settings-store.ts";
import type { TrustDesk } from "./trust/folder-trust.ts";

type Tells = ClientMethods & ClientNotifications;

/** What handlers work with: the rooms of the server they belong to. */
export type HandlerHost = {
  readonly version: string;
  readonly instanceId: string;
  /** The folder that counts where a request names none. */
  readonly cwd: string;
  readonly clients: ReadonlySet<Client>;
  readonly sessions: LiveSessions;
  readonly shelf: SessionShelf;
  readonly models: ModelDesk;
  readonly settings: SettingsDesk;
  readonly policies: PolicyDesk;
  readonly audit: AuditFile;
  readonly trust: TrustDesk;
  readonly credentials: CredentialDesk;
  readonly logins: LoginDesk;
  readonly spend: SpendDesk;
  readonly hud: HudBoard;
  readonly egress: EgressDesk;
  /** Ends all work and writes everything down; safe to call again. */
  shutdown(): Promise<void>;
  /** Ends the process, or whatever the server lives in. */
  exit(): void;
  /** Tells every client. */
  broadcast<M extends NotificationName<Tells>>(method: M, params: CallParams<Tells, M>): void;
};
