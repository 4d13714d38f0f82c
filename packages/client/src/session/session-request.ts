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
