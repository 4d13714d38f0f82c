import type { RewindResult } from "@harness/core";
import { type Handlers, protocolError, type undoMethods } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";

export function undoHandlers({ sessions: { live }, person: { hints } }: HandlerHost): Handlers<typeof undoMethods> {
  return {
    async "session/diff"({ sessionId, since, ...page }) {
      const { session, hide } = live.need(sessionId);
      const known = session.state.undo.messages.some(({ messageId }) => messageId === since);
      if (since !== undefined && !known)
        throw protocolError("not_found", `There is no message ${since} in this session.`, {
          what: "message",
          id: since,
        });
      const diff = await session.diff({ ...page, ...(since === undefined ? {} : { since }) });
      if ("problem" in diff) throw protocolError("conflict", diff.problem, {});
      return { ...diff, files: diff.files.map((file) => ({ ...file, hunks: hide(file.hunks) })) };
    },
    "session/undo": async ({ sessionId }) => undoResult(await live.need(sessionId).session.undo()),
    "session/redo": async ({ sessionId }) => undoResult(await live.need(sessionId).session.redo()),
    "undo/hint": () => ({ isDue: hints.take("undo") }),
    "session/rewind": async ({ sessionId, messageId, what }) =>
      undoResult(await live.need(sessionId).session.rewind(messageId, what)),
  };
}

function undoResult({ files, text, unsaved }: RewindResult): Omit<RewindResult, "unsaved"> {
  if (unsaved) throw protocolError("storage_failed", text);
  return { files, text };
}
