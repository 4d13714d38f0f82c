import type { Settings } from "@harness/protocol";

/** The sandbox of commands, as far as the gate needs to know it. */
export interface SandboxView {
  /** Tries the sandbox out, once, by running something in it. Never rejects. */
  ready(): Promise<void>;
  /** The setting; `off` = commands run as they are. */
  readonly wanted: Settings["sandbox"];
  /** Known after `ready`: commands can run in it. */
  readonly active: boolean;
  /** Why it is not active, in words for people; absent while it is, or is not wanted. */
  readonly why?: string | undefined;
}
