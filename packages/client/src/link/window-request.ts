import type { SessionRequest } from "../session/session-request.ts";
import type { ConnectServer } from "./connect-server.ts";

/** `sharesTerminal`: the program may ask on the terminal, such as for a password, and gets its Ctrl+C. */
type ServerProgram = { command: string; args: string[]; env?: Record<string, string>; sharesTerminal?: true };

/** The parameters of a window. */
export type WindowRequest = SessionRequest & {
  version: string;
  /** Draw below the terminal's output, whatever the setting says. */
  inline?: boolean;
  /** Sent at once, if given. */
  prompt: string | undefined;
  /** How to start the server process; `env` takes precedence over the variables of this process. */
  server: ServerProgram;
  /** Reaches a server elsewhere, instead of starting one; the folder is one of its machine. */
  far?: ConnectServer;
};
