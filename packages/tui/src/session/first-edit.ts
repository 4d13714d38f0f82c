import type { SessionUpdate } from "@harness/protocol";
import type { WindowHost } from "../client/window-host.ts";

/**
 * Says once that /undo exists, as soon as something has changed files: with the edit itself, or after a turn whose
 * commands did. The server remembers it, so that earlier sessions, of scripts or other programs, do not matter.
 */
export function firstEditHint({ store, server }: WindowHost): (update: SessionUpdate) => void {
  let isOver = false;
  return ({ sessionId, update }) => {
    if (isOver || !hasChangedFiles(update)) return;
    if (store.get().session?.sessionId !== sessionId) return;
    isOver = true;
    void server.call("undo/hint", {}).then(
      ({ isDue }) => {
        if (isDue) store.note("info", "/undo reverts this, what commands did included.", "undo");
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
