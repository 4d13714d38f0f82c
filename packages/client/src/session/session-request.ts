import type { SessionConfig } from "@harness/protocol";
import type { ForkWish } from "./session-options.ts";
import type { SessionTerms } from "./session-terms.ts";

/** The session that the user asks for on the command line, which decides every part of the terms. */
export type SessionRequest = SessionTerms &
  Required<Pick<SessionTerms, "isFolderNamed" | "rules" | "additionalDirectories" | "mcp">> & {
    config: SessionConfig;
    maxTurns: number | undefined;
    budget: SessionTerms["budget"];
    fallbackModels: string[] | undefined;
    customInstructions: string | undefined;
    /** Leave the session that is opened as it is, and go on in a fork of it. */
    fork: ForkWish;
    /** `choose`: the user chooses from a list. */
    open: { how: "new" } | { how: "newest" } | { how: "choose" } | { how: "id"; id: string };
  };

/** The parameters of a window. */
export type WindowRequest = SessionRequest & {
  version: string;
  /** Draw below the terminal's output, whatever the setting says. */
  inline?: boolean;
  /** Sent at once, if given. */
  prompt: string | undefined;
  /** How to start the server process; `env` takes precedence over the variables of this process. */
  server: { command: string; args: string[]; env?: Record<string, string> };
};
