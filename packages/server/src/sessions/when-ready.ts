import type { LiveSession } from "@harness/core";
import type { Clock } from "@harness/gate";

/** How long a session may wait for a folder on a file server that does not answer. */
const MAX_LOOK_MS = 1000;

type OpenedEntry = {
  readonly session: Pick<LiveSession, "rootsNoted"> & { readonly edits: Pick<LiveSession["edits"], "ready"> };
};

/**
 * Resolves when clients may learn of the session: the edits of the earlier process are written, and its workspace
 * folders have been resolved or have not answered for a second.
 */
export async function whenReady<E extends OpenedEntry>(entry: E, clock: Pick<Clock, "sleep">): Promise<E> {
  const ended = new AbortController();
  await entry.session.edits.ready;
  await Promise.race([entry.session.rootsNoted, clock.sleep(MAX_LOOK_MS, ended.signal)]);
  ended.abort("ended");
  return entry;
}
