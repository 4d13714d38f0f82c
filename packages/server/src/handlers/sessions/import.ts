import { homedir } from "node:os";
import type { Handlers, importMethods } from "@harness/protocol";
import { importableSessions } from "@harness/workspace";
import type { HandlerHost } from "../../handler-host.ts";

export function importHandlers({ sessions, clients, identity }: HandlerHost): Handlers<typeof importMethods> {
  return {
    async "session/import"({ path, cwd }) {
      const imported = await sessions.catalog.import({ path, cwd, otherwise: identity.cwd });
      clients.broadcast("sessions/changed", {});
      return imported;
    },
    "session/importable": (wanted) => importableSessions(identity.env.HOME ?? homedir(), wanted),
  };
}
