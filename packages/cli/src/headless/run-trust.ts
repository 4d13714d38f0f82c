import type { HarnessClient } from "@harness/client";
import { ProtocolError, type TrustView } from "@harness/protocol";
import { ignoredText, trustedForRun, trustTable } from "../text/trust-text.ts";
import type { RunRequest } from "./run-request.ts";

/**
 * Settles trust before a session is opened: with `--trust` the folder's content is trusted for this run and listed;
 * otherwise a note says once that it has no effect.
 */
export async function settleTrust(
  client: HarnessClient,
  request: RunRequest,
  say: (text: string) => void,
): Promise<void> {
  const cwd = await folderOf(client, request);
  const view = await lookAt(client, cwd, request.trust);
  if (!view) return;
  const isOpen = view.state !== "nothing" && view.state !== "trusted" && view.state !== "session";
  if (request.trust && isOpen) {
    await client.call("trust/set", { cwd, hash: view.hash, decision: "session" });
    say(`${trustedForRun(view)}\n${trustTable(view, process.stderr.columns)}`);
    return;
  }
  const ignored = ignoredText(view);
  if (ignored !== undefined) say(ignored);
}

/** A resumed session works in its own folder. */
async function folderOf(client: HarnessClient, { cwd, open }: RunRequest): Promise<string> {
  if (open.how !== "id") return cwd;
  const { session } = await client.call("session/get", { sessionId: open.id });
  return session.cwd;
}

/** The folder of an old session may no longer exist. */
async function lookAt(client: HarnessClient, cwd: string, isWanted: boolean): Promise<TrustView | undefined> {
  try {
    return await client.call("trust/get", { cwd });
  } catch (error) {
    if (isWanted || !(error instanceof ProtocolError) || error.kind !== "invalid_params") throw error;
    return undefined;
  }
}
