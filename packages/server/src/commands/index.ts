import type { LiveSession } from "@harness/core";
import { compactCommand } from "./compact.ts";

/** A slash command that any client can have run. `run` answers with what to show the person. */
export type ServerCommand = {
  description: string;
  argumentHint?: string;
  run(session: LiveSession, args: string): Promise<string>;
};

/** By name, without the slash. */
export const serverCommands: Record<string, ServerCommand> = {
  compact: compactCommand,
};
