import type { LiveSession } from "@harness/core";
import { type ProtocolError, protocolError } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";

/** The folder and the session, if any, that a command works in, and the parts of the server. */
export type CommandContext = {
  readonly session: LiveSession | undefined;
  readonly cwd: string;
  readonly host: HandlerHost;
  /** Aborts when the client does not want the answer any more, or is gone. */
  readonly signal: AbortSignal;
};

export type SessionContext = CommandContext & { readonly session: LiveSession };

/** The error for arguments that a command does not take: `text` says what it takes. */
export function misused(text: string): ProtocolError {
  return protocolError("invalid_params", text, { issues: [{ path: "args", message: text }] });
}

/** What is shown to the person; `turnId`: the turn that the command has started. */
type CommandAnswer = string | { text: string; turnId: string };

/** `args`: the text after the name, trimmed. Throws what `misused` makes. */
type Run<Context> = (context: Context, args: string) => Promise<CommandAnswer> | CommandAnswer;

/** A slash command that any client can run. */
export type ServerCommand = {
  description: string;
  argumentHint?: string;
  /** It takes long, and messages that come meanwhile are queued by the session itself. */
  leavesLane?: true;
} & ({ needsSession: true; run: Run<SessionContext> } | { needsSession: false; run: Run<CommandContext> });
