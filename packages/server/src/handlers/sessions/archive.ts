import type { archiveMethods, Handlers } from "@harness/protocol";
import type { HandlerHost } from "../../handler-host.ts";

export function archiveHandlers({ clients, sessions }: HandlerHost): Handlers<typeof archiveMethods> {
  return {
    async "session/archive"({ sessionId, archived }) {
      await sessions.catalog.archive(sessionId, { archived });
      clients.broadcast("sessions/changed", {});
      return {};
    },
    async "session/restore"({ sessionId: wanted }) {
      const { sessionId, folder: path } = await sessions.deleted.restore(wanted);
      clients.broadcast("sessions/changed", {});
      return { sessionId, path };
    },
  };
}
