import { errorText } from "@harness/client";
import type { WindowHost } from "../../client/window-host.ts";

/** How many pages of files are searched. */
const MAX_PAGES = 20;

/** Opens the sheet with what the agent has changed in a file of the open session. */
export async function showFileDiff({ store, server }: WindowHost, path: string): Promise<void> {
  const { session } = store.get();
  if (!session) return;
  const { sessionId } = session;
  try {
    let offset: number | undefined = 0;
    for (let page = 0; page < MAX_PAGES && offset !== undefined; page += 1) {
      const {
        files,
        nextOffset,
      }: { files: readonly { path: string; hunks: string }[]; nextOffset?: number | undefined } = await server.call(
        "session/diff",
        { sessionId, offset },
      );
      const found = files.find((file) => file.path === path);
      if (found) {
        store.set({ overlay: { kind: "text", title: path, text: found.hunks, scroll: 0, look: "diff" } });
        return;
      }
      offset = nextOffset;
    }
    store.note("info", `${path} is as it was before the session: its changes were undone.`);
  } catch (error) {
    store.note("error", `The changes of ${path} could not be read: ${errorText(error)}`);
  }
}
