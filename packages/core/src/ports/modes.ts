import type { AgentMode } from "@harness/protocol";

/** The words of a mode for the system prompt, from files that a person may change. */
export interface ModePrompts {
  /** Undefined: the built-in words hold. Never rejects. */
  read(name: AgentMode | "header"): Promise<string | undefined>;
}
