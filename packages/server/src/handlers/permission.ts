import { type Handlers, protocolError, type ServerMethods } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";
import type { Client } from "../sessions/client.ts";

type Names = "permission/list" | "permission/reply";

export function permissionHandlers(server: HandlerHost, client: Client): Pick<Handlers<ServerMethods>, Names> {
  const { sessions } = server;
  return {
    "permission/list"({ sessionId }) {
      const entries = sessionId === undefined ? sessions.all() : [sessions.need(sessionId)];
      const pending = entries.flatMap(({ session, questions }) =>
        questions.pending().map((permission) => ({ sessionId: session.sessionId, permission })),
      );
      return { pending };
    },
    "permission/reply"({ sessionId, permissionId, outcome }) {
      const { questions } = sessions.need(sessionId);
      if (!questions.reply(permissionId, outcome, client.profile?.name ?? client.name))
        throw protocolError(
          "conflict",
          `Permission ${permissionId} waits for no answer: it was answered or withdrawn.`,
          {},
        );
      return {};
    },
  };
}
