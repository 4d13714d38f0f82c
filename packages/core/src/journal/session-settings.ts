import { type AgentMode, type PermissionMode, type SessionConfig, stricter } from "@harness/protocol";
import type { SessionLimits, SessionOptions, SessionValues } from "../ports/session-ports.ts";
import type { Journal } from "./journal.ts";

/** The mode of a stored session that has no fact of one. */
const UNRECORDED_MODE: AgentMode = "agent";

/** The settings of the session now: those of the person, which may change at any moment, and what was chosen in the session. */
export class SessionSettings {
  readonly #options: SessionOptions;
  readonly #journal: Journal;
  /** The values when a change was last noticed. */
  #noticed: SessionValues;
  /** A permission mode of the session's own, and the setting at the moment when it was chosen. */
  #chosen: { own: PermissionMode; setting: PermissionMode } | undefined;

  constructor(options: SessionOptions, journal: Journal) {
    this.#options = options;
    this.#journal = journal;
    this.#noticed = options.values();
  }

  get limits(): SessionLimits {
    return this.#options.values().limits;
  }

  get autoCompact(): boolean {
    return this.#options.values().autoCompact;
  }

  get compactTrigger(): number {
    return this.#options.values().compactTrigger;
  }

  get compactTarget(): number {
    return this.#options.values().compactTarget;
  }

  get toolLimits(): SessionValues["toolLimits"] {
    return this.#options.values().toolLimits;
  }

  get customInstructions(): string {
    return this.#options.values().customInstructions;
  }

  get agentMode(): AgentMode {
    const { mode } = this.#journal.state.config;
    return mode ?? (this.#options.loaded ? UNRECORDED_MODE : this.#options.mode);
  }

  /** What was chosen in the session counts, until the setting is changed to something stricter. */
  get permissionMode(): PermissionMode {
    const setting = this.#options.values().permissionMode;
    if (!this.#chosen) return setting;
    const { own, setting: then } = this.#chosen;
    return setting === then ? own : stricter("permission_mode", own, setting);
  }

  /** Takes what a client asked for as the session was opened, and returns what the facts do not say yet. */
  begin(asked: SessionConfig): SessionConfig {
    this.choose(asked);
    const setting = this.#options.values().permissionMode;
    const known = this.#journal.state.config;
    const said: Record<string, unknown> = { mode: UNRECORDED_MODE, permissionMode: setting, ...known };
    const config = { ...asked, mode: asked.mode ?? this.agentMode, permissionMode: this.permissionMode };
    return Object.fromEntries(Object.entries(config).filter(([key, value]) => said[key] !== value));
  }

  /** Takes a configuration that a client asks for, before it is recorded. */
  choose({ permissionMode }: SessionConfig): void {
    if (permissionMode === undefined) return;
    this.#chosen = { own: permissionMode, setting: this.#options.values().permissionMode };
  }

  /** Undefined: no setting has changed since the last call. Has the permission mode where it is another one for that. */
  notice(): Pick<SessionConfig, "permissionMode"> | undefined {
    const values = this.#options.values();
    if (values === this.#noticed) return undefined;
    const shown = this.#journal.state.config.permissionMode ?? this.#chosen?.own ?? this.#noticed.permissionMode;
    this.#noticed = values;
    const { permissionMode } = this;
    if (permissionMode === shown) return {};
    this.#chosen = undefined;
    return { permissionMode };
  }
}
