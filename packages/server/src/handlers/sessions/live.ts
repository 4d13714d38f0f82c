import { type Handlers, type LiveSessionView, type liveMethods, protocolError } from "@harness/protocol";
import type { HandlerHost } from "../../handler-host.ts";
import { heldSession } from "../../sessions/live-entry.ts";

/** Those that wait for a person come first. */
const ORDER: Record<LiveSessionView["state"], number> = { requires_action: 0, running: 1, waiting: 1, idle: 2 };

export function liveHandlers(server: HandlerHost): Handlers<typeof liveMethods> {
  const { sockets, listening, lifetime } = server.identity.presence;
  return {
    async "session/keep"({ sessionId }) {
      server.sessions.live.need(sessionId);
      try {
        const listener = await listening.open();
        listener.hold();
        lifetime.keep();
        return { socketPath: listener.path };
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw protocolError("unsupported", `The session could not be reached once it is left: ${why}`, {
          capability: "session/keep",
        });
      }
    },
    async "session/live"() {
      const { sessionsOfOthers } = await import("../../listening/other-servers.ts");
      const { path } = listening;
      const own = server.sessions.live.all().map((entry) => ({
        ...heldSession(entry),
        pid: process.pid,
        ...(path === undefined ? {} : { socketPath: path }),
      }));
      try {
        const { sessions, problems } = await sessionsOfOthers(sockets(), server.identity.version);
        const all = [...own, ...sessions].sort(
          (a, b) => ORDER[a.state] - ORDER[b.state] || (a.sessionId < b.sessionId ? 1 : -1),
        );
        return { sessions: all, ...(problems.length > 0 ? { problems } : {}) };
      } catch (error) {
        throw protocolError("storage_failed", error instanceof Error ? error.message : String(error));
      }
    },
  };
}
