import {
  type AgentMode,
  type PermissionMode,
  type PromptCommand,
  type SessionConfig,
  stricter,
} from "@harness/protocol";
import type { SessionOptions, SessionValues } from "../ports/session-ports.ts";
import type { Journal } from "./journal.ts";

/** The mode of a stored session that has no fact about it. */
const UNRECORDED_MODE: AgentMode = "agent";

/**
 * The permission mode, the value of the setting when it was adopted, and whether it was chosen in the session itself.
 */
type PermissionInForce = { mode: PermissionMode; setting: PermissionMode; isChosen: boolean };

/** The settings in force now: the user's, which may change at any moment, and the choices made in the session. */
export class SessionSettings {
  readonly #options: SessionOptions;
  readonly #journal: Journal;
  /** The values when a change was last noticed. */
  #noticed: SessionValues;
  #permission: PermissionInForce;
  #chosenMode: AgentMode | undefined;
  /** Requested by a client when the session was opened, for example by a flag; holds until the user chooses a mode. */
  #openingMode: AgentMode | undefined;
  /** The slash command of the running turn, and the mode of the session when it was given. */
  #command: { given: PromptCommand; sessionMode: AgentMode | undefined } | undefined;

  constructor(options: SessionOptions, journal: Journal) {
    this.#options = options;
    this.#journal = journal;
    this.#noticed = options.values();
    const { permission_mode: mode } = this.#noticed;
    this.#permission = { mode, setting: mode, isChosen: false };
  }

  /** The user's settings at this moment; the same object as long as none has changed. */
  get values(): SessionValues {
    return this.#options.values();
  }

  /** The slash command that governs the running turn; undefined if there is none. */
  get command(): PromptCommand | undefined {
    return this.#command?.given;
  }

  /** For the rest of the turn of the main agent. */
  beginCommand(command: PromptCommand): void {
    this.#command = { given: command, sessionMode: this.#journal.state.config.mode };
  }

  endCommand(): void {
    this.#command = undefined;
  }

  get agentMode(): AgentMode {
    const { mode } = this.#journal.state.config;
    // A change of the mode during the turn overrides the command's mode.
    const ofCommand = this.#command?.sessionMode === mode ? this.#command?.given.mode : undefined;
    if (ofCommand !== undefined) return ofCommand;
    return this.#sessionMode;
  }

  get #sessionMode(): AgentMode {
    return this.#journal.state.config.mode ?? (this.#options.loaded ? UNRECORDED_MODE : this.#options.mode);
  }

  /** The mode that the user chose last. The agent asks before it switches to a different one by itself. */
  get chosenMode(): AgentMode {
    this.#chosenMode ??= this.#sessionMode;
    return this.#chosenMode;
  }

  get openingMode(): AgentMode | undefined {
    return this.#openingMode;
  }

  /** A stricter setting counts at once; other changes count when they are noticed. */
  get permissionMode(): PermissionMode {
    const { mode, setting: then } = this.#permission;
    const setting = this.values.permission_mode;
    return setting === then ? mode : stricter("permission_mode", mode, setting);
  }

  /**
   * Takes the configuration that a client requested when the session was opened, and returns what the facts do not
   * contain yet.
   */
  begin(requested: SessionConfig): SessionConfig {
    this.choose(requested);
    this.#openingMode = requested.mode;
    const setting = this.values.permission_mode;
    const known = this.#journal.state.config;
    const recorded: Record<string, unknown> = { mode: UNRECORDED_MODE, permissionMode: setting, ...known };
    const config = { ...requested, mode: requested.mode ?? this.agentMode, permissionMode: this.permissionMode };
    return Object.fromEntries(Object.entries(config).filter(([key, value]) => recorded[key] !== value));
  }

  /** Takes a configuration that a client requests, before it is recorded. */
  choose({ permissionMode, mode }: SessionConfig): void {
    if (mode !== undefined) {
      this.#chosenMode = mode;
      this.#openingMode = undefined;
    }
    if (permissionMode === undefined) return;
    this.#permission = { mode: permissionMode, setting: this.values.permission_mode, isChosen: true };
  }

  /**
   * Undefined if no setting has changed since the last call. Includes the permission mode if that has changed; a looser
   * one only if it `mayLoosen`, so that scrolling through a setting does not answer an open request.
   */
  notice({ mayLoosen }: { mayLoosen: boolean }): Pick<SessionConfig, "permissionMode"> | undefined {
    const { values } = this;
    const isNews = values !== this.#noticed;
    this.#noticed = values;
    const { mode: before } = this.#permission;
    this.#followSetting(values.permission_mode, mayLoosen);
    const { mode } = this.#permission;
    if (mode !== before) return { permissionMode: mode };
    return isNews ? {} : undefined;
  }

  #followSetting(now: PermissionMode, mayLoosen: boolean): void {
    const { mode, setting, isChosen } = this.#permission;
    if (now === setting) return;
    const next = mayLoosen && !isChosen ? now : stricter("permission_mode", mode, now);
    if (next === now) this.#permission = { mode: next, setting: now, isChosen: isChosen && next === mode };
  }
}
