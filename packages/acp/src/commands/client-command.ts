import type { HarnessClient, Session } from "@harness/client";

/** The session that a command of a client is about. */
type SessionCommandContext = { session: Session; sessionId: string; client: HarnessClient };

/** A slash command for clients that have no other way to something that the window shows. Returns its answer. */
export type ClientCommand = {
  description: string;
  hint?: string;
  run(args: string, context: SessionCommandContext): Promise<string>;
};
