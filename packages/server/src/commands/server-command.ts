import type { LiveSession } from "@harness/core";
import { type ProtocolError, protocolError, type Result, type ServerMethods } from "@harness/protocol";
import type { McpServers, Workspace } from "@harness/workspace";
import type { HandlerHost } from "../handler-host.ts";

/** The folder and the session, if any, that a command works in, and the parts of the server. */
export type ServerCommandContext = {
  readonly session: LiveSession | undefined;
  readonly workspace: Workspace;
  /** The folder as the session or the request names it. */
  readonly cwd: string;
  readonly host: HandlerHost;
  /** Aborts when the client no longer wants the answer, or has disconnected. */
  readonly signal: AbortSignal;
  /** Standard input for a program. */
  readonly input: string;
  /** All commands that apply here. */
  readonly listing: () => Promise<CommandListing>;
};

export type CommandListing = Result<ServerMethods, "commands/list">;

export type ListedCommand = CommandListing["commands"][number];

export type SessionContext = ServerCommandContext & { readonly session: LiveSession };

/** The error for arguments that a command does not accept: `text` says what it accepts. */
export function misused(text: string): ProtocolError {
  return protocolError("invalid_params", text, { issues: [{ path: "args", message: text }] });
}

/**
 * The text for the user; `turnId`: the turn that the command has started; `exitCode`: of a program, or not 0 if the
 * command failed.
 */
export type CommandAnswer = string | { text: string; turnId: string } | { text: string; exitCode: number };

/** `args`: the text after the name, trimmed. Throws the errors of `misused`. */
type Run<Context> = (context: Context, args: string) => Promise<CommandAnswer> | CommandAnswer;

/** A slash command that any client can run. */
export type ServerCommand = {
  /** Names known from other agents: every other command with such a name comes first. */
  aliases?: readonly string[];
  description: string;
  argumentHint?: string;
  /** It takes long, and the session itself queues messages that arrive meanwhile. */
  leavesLane?: true;
  /** Clients get its effects before its answer, and show only once what both say. */
  announcesFirst?: true;
  /** It may send the agent a message, possibly the first one of a session. */
  startsTurn?: true;
} & ({ needsSession: true; run: Run<SessionContext> } | { needsSession: false; run: Run<ServerCommandContext> });

/** Where to look for a command: a workspace, and the session in it if one is named. */
export type CommandScope = { readonly workspace: Workspace; readonly session?: LiveSession; readonly mcp?: McpServers };

/** A source of commands. If two sources have a command with the same name, the first counts. */
export type CommandSource = {
  /** The commands that apply there; called whenever they are displayed. */
  list(scope: CommandScope): readonly ListedCommand[] | Promise<readonly ListedCommand[]>;
  /** `name`: as typed, in lower case. */
  find(name: string, scope: CommandScope): ServerCommand | undefined | Promise<ServerCommand | undefined>;
  /** Files that were found but are not commands. */
  unused?(scope: CommandScope): CommandListing["unused"];
};
