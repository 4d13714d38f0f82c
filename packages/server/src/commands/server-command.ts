import type { LiveSession } from "@harness/core";
import type { HandlerHost } from "../handler-host.ts";

/** The folder and the session, if any, that a command works in, and the parts of the server. */
export type CommandContext = {
  readonly session: LiveSession | undefined;
  readonly cwd: string;
  readonly host: HandlerHost;
};

export type SessionContext = CommandContext & { readonly session: LiveSession };

/** `args`: the text after the name, trimmed. The result is shown to the person. */
type Run<Context> = (context: Context, args: string) => Promise<string> | string;

/** A slash command that any client can run. */
export type ServerCommand = {
  description: string;
  argumentHint?: string;
} & ({ needsSession: true; run: Run<SessionContext> } | { needsSession: false; run: Run<CommandContext> });
