import type { SessionUpdate } from "@harness/protocol";
import type { WindowHost } from "../client/window-host.ts";

/**
 * Says once that /undo exists: after the first turn that changed files, in a person's first session. With earlier
 * sessions anywhere nothing is said.
 */
export function firstEditHint({ store, server }: WindowHost): (update: SessionUpdate) => void {
  let isOver = false;
  return ({ sessionId, update }) => {
    if (isOver || update.sessionUpdate !== "turn_changes" || update.files.length === 0) return;
    if (store.get().session?.sessionId !== sessionId) return;
    isOver = true;
    void server.call("session/list", { limit: 1 }).then(
      ({ total }) => {
        if (total === 1) store.note("info", "/undo reverts this, what commands did included.");
      },
      () => undefined,
    );
  };
}
