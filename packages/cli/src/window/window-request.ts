import { join } from "node:path";
import type { WindowRequest } from "@harness/client";
import { VERSION } from "@harness/protocol/version";
import { type CommandLine, serverVariables } from "../command-line/command-line.ts";
import { sessionRequest } from "../command-line/session-request.ts";

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

/** The server next to this program: the other entry of the bundle, or the source if run from source. */
function serverCommand(trustedHash: string | undefined): WindowRequest["server"] {
  const here = import.meta.dirname;
  const entry = import.meta.filename.endsWith(".ts")
    ? join(here, "../../../server/src/main.ts")
    : join(here, "server.mjs");
  // With the Node flags of this process (bin/harness), which keep memory small.
  const args = [...process.execArgv, entry, ...(trustedHash === undefined ? [] : [`--trust=${trustedHash}`])];
  return { command: process.execPath, args };
}
