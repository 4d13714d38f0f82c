import type { CallParams, ServerMethods, SessionConfig } from "@harness/protocol";

/** A program's demands on its session, on top of the settings. Only the folder is required. */
export type SessionTerms = {
  /** An existing folder without links in its path, because sessions are found by it. */
  cwd: string;
  /** True if the user named it: a session whose own folder no longer exists continues there. */
  isFolderNamed?: boolean;
  /** Model, provider, mode and permission mode of a new session. */
  config?: SessionConfig;
  rules?: { allow: string[]; deny: string[] };
  /** More workspace folders, in the same form as `cwd`. */
  additionalDirectories?: string[];
  /** Files that name more MCP servers, and servers in the form of `mcp.json`, by name; `strict`: only these. */
  mcp?: { files: string[]; servers?: Record<string, Record<string, unknown>>; strict: boolean };
  maxTurns?: number | undefined;
  /** The most that the agents may use from here on. */
  budget?: { tokens?: number | undefined; usd?: number | undefined } | undefined;
  /** Instead of those of the settings. */
  fallbackModels?: string[] | undefined;
  /** How long a question of the agent waits for its answer; absent: forever. */
  questionTimeoutMs?: number;
  customInstructions?: string | undefined;
  /** The named agent that does the work. */
  agent?: string | undefined;
  /** The title of a new session. */
  title?: string | undefined;
  /** The session that a new one follows: it was handed over. */
  follows?: string | undefined;
  /** A new session is kept in memory only. */
  ephemeral?: boolean;
};

type SharedParams = Pick<
  CallParams<ServerMethods, "session/new">,
  "config" | "rules" | "limits" | "fallbackModels" | "customInstructions" | "additionalDirectories" | "agent" | "mcp"
>;

/** The part of the terms that the server gets whenever a session is begun or opened. */
export function sharedParams(terms: SessionTerms, config: SessionConfig = {}): SharedParams {
  const { rules, additionalDirectories, mcp, fallbackModels, customInstructions, agent } = terms;
  const { maxTurns, questionTimeoutMs, budget } = terms;
  const limits = { maxTurns, questionTimeoutMs, budget };
  const isLimited = Object.values(limits).some((limit) => limit !== undefined);
  return {
    ...(Object.keys(config).length > 0 ? { config } : {}),
    ...(isLimited ? { limits } : {}),
    ...{ rules, additionalDirectories, mcp, fallbackModels, customInstructions, agent },
  };
}
