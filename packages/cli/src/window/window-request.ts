import type { WindowRequest } from "@harness/client";
import { VERSION } from "@harness/protocol/version";
import { type CommandLine, serverVariables } from "../command-line/command-line.ts";
import { sessionRequest } from "../command-line/session-request.ts";
import { serverCommand } from "../process/server-command.ts";

type WindowOpening = {
  /** Drawn below the terminal's output instead of on a screen of its own. */
  inline?: boolean;
  /** The hash of the folder's content that is trusted while the window is open. */
  trustedHash?: string | undefined;
};

export function windowRequest(line: CommandLine, { inline = false, trustedHash }: WindowOpening = {}): WindowRequest {
  const prompt = line.positionals.join(" ").trim();
  return {
    ...sessionRequest(line),
    version: VERSION,
    inline,
    prompt: prompt === "" ? undefined : prompt,
    server: { ...serverCommand(trustedHash), env: serverVariables(line) },
  };
}
