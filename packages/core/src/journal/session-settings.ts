import type { AgentMode, PermissionMode } from "@harness/protocol";
import type { SessionLimits, SessionOptions } from "../ports/session-ports.ts";
import type { Journal } from "./journal.ts";

/** The settings of the session now: the options it was opened with, and later changes of its configuration. */
export class SessionSettings {
  readonly #options: SessionOptions;
  readonly #journal: Journal;

  constructor(options: SessionOptions, journal: Journal) {
    this.#options = options;
    this.#journal = journal;
  }

  get limits(): SessionLimits {
    return this.#options.limits;
  }

  get autoCompact(): boolean {
    return this.#options.autoCompact;
  }

  get agentMode(): AgentMode {
    return this.#journal.state.config.mode ?? this.#options.mode;
  }

  get permissionMode(): PermissionMode {
    return this.#journal.state.config.permissionMode ?? this.#options.permissionMode;
  }
}
