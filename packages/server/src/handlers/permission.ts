import { type Handlers, type permissionMethods, protocolError } from "@harness/protocol";
import type { Client } from "../clients/client.ts";
import type { HandlerHost } from "../handler-host.ts";

export function permissionHandlers(server: HandlerHost, client: Client): Handlers<typeof permissionMethods> {
  const { live } = server.sessions;
  return {
    "permission/list"({ sessionId }) {
      const entries = sessionId === undefined ? live.all() : [live.need(sessionId)];
      const pending = entries.flatMap(({ session, requests }) =>
        requests.pending().map((permission) => ({ sessionId: session.sessionId, permission })),
      );
      return { pending };
    },
    "permission/reply"({ sessionId, permissionId, outcome }) {
      const { requests } = live.need(sessionId);
      if (!requests.reply(permissionId, outcome, client.profile?.name ?? client.name))
        throw protocolError(
          "conflict",
          `Permission request ${permissionId} is not open: it was answered or withdrawn.`,
          {},
        );
      return {};
    },
  };
}
