import type { Handlers, ServerMethods } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";

type Names = "session/undo" | "session/redo" | "session/rewind";

export function undoHandlers({ sessions }: HandlerHost): Pick<Handlers<ServerMethods>, Names> {
  return {
    "session/undo": ({ sessionId }) => sessions.need(sessionId).session.undo(),
    "session/redo": ({ sessionId }) => sessions.need(sessionId).session.redo(),
    "session/rewind": ({ sessionId, messageId, what }) => sessions.need(sessionId).session.rewind(messageId, what),
  };
}
