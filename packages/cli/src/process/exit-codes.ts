/** Exit codes of every subcommand, the same in all output formats. Never derived from an HTTP status. */
export const exitCodes = {
  done: { code: 0, doc: "finished" },
  failed: { code: 1, doc: "the turn failed: provider, network, disk, a model that answered nothing, or a bug" },
  usage: { code: 2, doc: "wrong flags, an empty prompt, a file that cannot be read; a hook refused the message" },
  config: {
    code: 3,
    doc: "no model, no key, an unknown provider, or one that refused the key; a login that failed, or an MCP server that is not ready",
  },
  denied: { code: 4, doc: "a permission was needed, with `--permission-prompt fail`; a folder was not trusted" },
  limit: { code: 5, doc: "a limit was reached (turns, time, output length), or the model was stuck in a loop" },
  session: {
    code: 7,
    doc: "what was named does not exist, such as a session, an agent or an MCP server; or the session is open elsewhere",
  },
  context: { code: 8, doc: "context window: the prompt is too long, or the server read only part of it" },
  hungUp: { code: 129, doc: "SIGHUP (the terminal closed); the result is still written" },
  interrupted: { code: 130, doc: "SIGINT (Ctrl+C), or a `cancel` line; the result is still written" },
  closedPipe: { code: 141, doc: "the reader of the output closed it" },
  terminated: { code: 143, doc: "SIGTERM; the result is still written" },
} as const;

export type ExitReason = keyof typeof exitCodes;

/** A refusal to start or to continue, with its message and exit code. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly ending: ExitReason;

  constructor(ending: ExitReason, message: string) {
    super(message);
    this.ending = ending;
  }
}
