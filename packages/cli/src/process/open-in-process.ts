import { type ClientOptions, type HarnessClient, type LocalServer, openLinkedClient } from "@harness/client";
import { VERSION } from "@harness/protocol/version";
import { printNote } from "./print-note.ts";

/** Opens a client, called `name`, for the server in this process. */
export function openInProcess(
  server: LocalServer,
  name: string,
  options: Omit<ClientOptions, "clientInfo" | "onLost" | "onBug">,
): Promise<HarnessClient> {
  return openLinkedClient(server, "headless", {
    ...options,
    clientInfo: { name, version: VERSION },
    // The server is in this process, so it cannot be lost alone.
    onLost: () => undefined,
    onBug: (error, where) => printNote(`harness: internal error in ${where}: ${String(error)}`),
  });
}
