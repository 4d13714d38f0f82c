import type { AgentMode } from "@harness/protocol";

/** The texts of a mode for the system prompt, from files that a person may change. */
export interface ModePrompts {
  /** Undefined: the built-in text is used. Never rejects. */
  read(name: AgentMode | "header"): Promise<string | undefined>;
}
