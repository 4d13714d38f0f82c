import type { Asker } from "./asker.ts";
import type { Clock } from "./clock.ts";
import type { GateSettings } from "./gate-settings.ts";
import type { Paths } from "./paths.ts";
import type { AuditLog, Policies } from "./policies.ts";
import type { SandboxView } from "./sandbox.ts";
import type { ShellGrammar } from "./shell-grammar.ts";

/** Everything that the gate of one session needs from outside. */
export type GatePorts = {
  log: {
    readonly header: { sessionId: string; cwd: string };
    /** The folder of texts that were too long to send, which the session's agents may read; absent: none. */
    readonly savedTexts?: readonly string[];
  };
  runtime: { clock: Clock; ids: { next(kind: "permission"): string } };
  asker: Asker;
  paths: Paths;
  policies: Policies;
  audit: AuditLog;
  /** Absent: commands are read by text alone, and asked about more often. */
  grammar?: ShellGrammar;
  /** Absent: commands run as they are. */
  sandbox?: SandboxView;
  /** Absent: nothing can be undone. */
  checkpoints?: object;
  /** The current settings of the gate; a change applies from the next call on. */
  gateSettings(): GateSettings;
};
