import type { SessionUpdate } from "@harness/protocol";
import type { WindowHost } from "../client/window-host.ts";

/**
 * Says once that /undo exists, as soon as something has changed files in a person's first session: with the edit itself,
 * or after a turn whose commands did. With earlier sessions anywhere nothing is said.
 */
export function firstEditHint({ store, server }: WindowHost): (update: SessionUpdate) => void {
  let isOver = false;
  return ({ sessionId, update }) => {
    if (isOver || !hasChangedFiles(update)) return;
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

function hasChangedFiles(update: SessionUpdate["update"]): boolean {
  if (update.sessionUpdate === "turn_changes") return update.files.length > 0;
  if (update.sessionUpdate !== "tool_call_update" || update.outcome?.status !== "ok") return false;
  return update.outcome.blocks.some(({ type }) => type === "diff");
}
