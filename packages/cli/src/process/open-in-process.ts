import {
  type AttachingClient,
  type ClientOptions,
  type HarnessClient,
  type LocalServer,
  openAttachingClient,
  openLinkedClient,
} from "@harness/client";
import { VERSION } from "@harness/protocol/version";
import { printNote } from "./print-note.ts";

type Provided = "clientInfo" | "onLost" | "onBug";

/** Opens a client, called `name`, for the server in this process. */
export function openInProcess(
  server: LocalServer,
  name: string,
  options: Omit<ClientOptions, Provided>,
): Promise<HarnessClient> {
  return openLinkedClient(server, "headless", { ...options, ...provided(name) });
}

/** The same, but a session that another server holds is opened there. */
export function attachInProcess(
  server: LocalServer,
  name: string,
  options: Omit<Parameters<typeof openAttachingClient>[2], Provided>,
): Promise<AttachingClient> {
  return openAttachingClient(server, "headless", { ...options, ...provided(name) });
}

function provided(name: string): Pick<ClientOptions, Provided> {
  return {
    clientInfo: { name, version: VERSION },
    // The server is in this process, so it cannot be lost alone.
    onLost: () => undefined,
    onBug: (error, where) => printNote(`harness: internal error in ${where}: ${String(error)}`),
  };
}
