import type { LiveSession } from "@harness/core";
import type { HandlerHost } from "../handler-host.ts";

/** What a command works with: the session it was typed in, that session's folder, and the desks of the server. */
export type CommandContext = {
  readonly session: LiveSession;
  readonly cwd: string;
  readonly host: HandlerHost;
};

/** A slash command that any client can have run. `run` answers with what to show the person. */
export type ServerCommand = {
  description: string;
  argumentHint?: string;
  /** `args`: what follows the name, without blanks around it. */
  run(context: CommandContext, args: string): Promise<string> | string;
};
