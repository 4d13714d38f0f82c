import type { Handlers, ServerMethods } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";

type Names = "session/undo" | "session/redo" | "session/rewind";

export function undoHandlers({ sessions: { live } }: HandlerHost): Pick<Handlers<ServerMethods>, Names> {
  return {
    "session/undo": ({ sessionId }) => live.need(sessionId).session.undo(),
    "session/redo": ({ sessionId }) => live.need(sessionId).session.redo(),
    "session/rewind": ({ sessionId, messageId, what }) => live.need(sessionId).session.rewind(messageId, what),
  };
}
