import { compactCommand } from "./compact.ts";
import type { ServerCommand } from "./server-command.ts";

/** By name, without the slash. */
export const serverCommands: Record<string, ServerCommand> = {
  compact: compactCommand,
};
