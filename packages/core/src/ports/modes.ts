import type { AgentMode } from "@harness/protocol";

/** The texts of a mode for the system prompt, from files that the user may change. */
export interface ModePrompts {
  /** Undefined if the built-in text is used. Never rejects. */
  read(name: AgentMode | "header"): Promise<string | undefined>;
}
