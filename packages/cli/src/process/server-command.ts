import { join } from "node:path";
import type { WindowRequest } from "@harness/client";

/** The server next to this program: the other entry of the bundle, or the source if run from source. */
export function serverCommand(trustedHash?: string): WindowRequest["server"] {
  const here = import.meta.dirname;
  const entry = import.meta.filename.endsWith(".ts")
    ? join(here, "../../../server/src/main.ts")
    : join(here, "server.mjs");
  // With the Node flags of this process (bin/harness), which keep memory small.
  const args = [...process.execArgv, entry, ...(trustedHash === undefined ? [] : [`--trust=${trustedHash}`])];
  return { command: process.execPath, args };
}
