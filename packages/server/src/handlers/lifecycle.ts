import { type Handlers, type lifecycleMethods, PROTOCOL_VERSION, protocolError } from "@harness/protocol";
import { defaultLimits, MAX_IN_FLIGHT } from "@harness/protocol/wire";
import type { Client } from "../clients/client.ts";
import type { HandlerHost, ServerEnds } from "../handler-host.ts";
import { heldSession } from "../sessions/live-entry.ts";

export function lifecycleHandlers(
  server: HandlerHost,
  ends: ServerEnds,
  client: Client,
): Handlers<typeof lifecycleMethods> {
  const { lifetime } = server.identity.presence;
  return {
    initialize({ protocolVersions, clientInfo, role, capabilities }) {
      if (client.profile)
        throw protocolError("invalid_request", "initialize was sent twice on this connection.", {
          reason: "already_initialized",
        });
      if (!protocolVersions.includes(PROTOCOL_VERSION))
        throw protocolError(
          "unsupported_protocol_version",
          `This server speaks protocol version ${PROTOCOL_VERSION}; the client offered ${protocolVersions.join(", ")}.`,
          { supported: [PROTOCOL_VERSION] },
        );
      client.profile = {
        name: clientInfo.name,
        role,
        canAnswerPermissions: capabilities.permission !== undefined,
        canAnswerQuestions: capabilities.elicitation !== undefined,
        buffers: { read: capabilities.buffers?.read === true, write: capabilities.buffers?.write === true },
        optOut: new Set(capabilities.updates?.optOut),
      };
      return {
        protocol: "harness",
        protocolVersion: PROTOCOL_VERSION,
        serverInfo: { name: "harness", version: server.identity.version, pid: process.pid, cwd: server.identity.cwd },
        serverInstanceId: server.identity.instanceId,
        capabilities: { sessions: {}, permissions: {}, subagents: {}, compaction: {}, files: {}, hud: {} },
        limits: { maxMessageBytes: defaultLimits.maxMessageBytes, maxInFlight: MAX_IN_FLIGHT },
      };
    },
    async shutdown({ unlessShared = false }) {
      if (unlessShared && lifetime.staysWithout(client)) return { stays: true as const };
      await ends.shutdown();
      return {};
    },
    "server/status": () => ({
      pid: process.pid,
      uptimeMs: Math.round(process.uptime() * 1000),
      connections: server.clients.count,
      sessions: server.sessions.live.all().map(heldSession),
      memoryBytes: process.memoryUsage.rss(),
    }),
  };
}
