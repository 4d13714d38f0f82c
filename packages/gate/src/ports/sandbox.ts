import type { Settings } from "@harness/protocol";

/** The sandbox for commands, as far as the gate needs to know it. */
export interface SandboxView {
  /** Tests the sandbox once by running something in it. Never rejects. */
  ready(): Promise<void>;
  /** The setting; `off`: commands run without it. */
  readonly wanted: Settings["sandbox"];
  /** Known after `ready`: true if commands can run in it. */
  readonly active: boolean;
  /** Why it is not active, for people; absent while it is active or not wanted. */
  readonly why?: string | undefined;
}
