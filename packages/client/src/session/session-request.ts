import type { SessionConfig } from "@harness/protocol";
import type { SessionTerms } from "./session-terms.ts";

/** The session that a person asks for on the command line: every part of the terms is decided there. */
export type SessionRequest = SessionTerms &
  Required<Pick<SessionTerms, "isFolderNamed" | "rules" | "additionalDirectories" | "mcp">> & {
    config: SessionConfig;
    maxTurns: number | undefined;
    customInstructions: string | undefined;
    /** `choose`: the person chooses from a list. */
    open: { how: "new" } | { how: "newest" } | { how: "choose" } | { how: "id"; id: string };
  };

/** The parameters of a window. */
export type WindowRequest = SessionRequest & {
  version: string;
  /** Drawn below what the terminal shows, whatever the setting says. */
  inline?: boolean;
  /** Sent at once, when given. */
  prompt: string | undefined;
  /** How to start the server process; `env` takes precedence over the variables of this process. */
  server: { command: string; args: string[]; env?: Record<string, string> };
};
