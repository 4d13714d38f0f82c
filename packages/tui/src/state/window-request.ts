import type { SessionConfig } from "@harness/protocol";

/** The parameters of a window, as `packages/cli` passes them. */
export type WindowRequest = {
  cwd: string;
  config: SessionConfig;
  rules: { allow: string[]; deny: string[] };
  /** More folders that count as the workspace. */
  additionalDirectories: string[];
  maxTurns: number | undefined;
  customInstructions: string | undefined;
  open: { how: "new" } | { how: "newest" } | { how: "id"; id: string };
  version: string;
  /** Sent at once, when given. */
  prompt: string | undefined;
  /** How to start the server process; `env` overrides the variables of this process. */
  server: { command: string; args: string[]; env?: Record<string, string> };
};
