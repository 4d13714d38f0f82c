import type { LiveSession } from "@harness/core";

/** A slash command that any client can have run. `run` answers with what to show the person. */
export type ServerCommand = {
  description: string;
  argumentHint?: string;
  run(session: LiveSession, args: string): Promise<string>;
};
