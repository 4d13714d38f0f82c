import { type Handlers, type LiveSessionView, type liveMethods, protocolError } from "@harness/protocol";
import type { Client } from "../../clients/client.ts";
import type { HandlerHost } from "../../handler-host.ts";
import { heldSession } from "../../sessions/live-entry.ts";
import { CLOSE_GRACE_MS } from "../../sessions/live-sessions.ts";
import { stopWork } from "./stop-work.ts";

/** Those that wait for a person come first. */
const ORDER: Record<LiveSessionView["state"], number> = { requires_action: 0, running: 1, waiting: 1, idle: 2 };

export function liveHandlers(server: HandlerHost, client: Client): Handlers<typeof liveMethods> {
  const { live } = server.sessions;
  const { sockets, listening, lifetime } = server.identity.presence;
  return {
    async "session/keep"({ sessionId }) {
      live.need(sessionId);
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
    async "session/stop"({ sessionId }) {
      const entry = live.need(sessionId);
      const followers = entry.subscribers.count;
      if (followers === 0) await live.close(sessionId, CLOSE_GRACE_MS);
      else await stopWork(entry, client.profile?.name ?? "another program");
      return { followers };
    },
    async "session/live"() {
      const { sessionsOfOthers } = await import("../../listening/other-servers.ts");
      const { path } = listening;
      const own = live.all().map((entry) => ({
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
