import type { SessionConfig } from "@harness/protocol";

/** The session that a person asks for on the command line. */
export type SessionRequest = {
  /** An existing folder without links in its path: sessions are found again by it. */
  cwd: string;
  /** The person has named it: a session whose own folder is gone goes on there. */
  isFolderNamed: boolean;
  config: SessionConfig;
  rules: { allow: string[]; deny: string[] };
  /** More workspace folders, in the form of `cwd`. */
  additionalDirectories: string[];
  /** Files that name more MCP servers; `strict`: only these. */
  mcp: { files: string[]; strict: boolean };
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
