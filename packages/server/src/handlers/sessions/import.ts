import { homedir } from "node:os";
import type { Handlers, importMethods } from "@harness/protocol";
import { importableSessions } from "@harness/workspace";
import type { HandlerHost } from "../../handler-host.ts";
import { LeftoverCatalog } from "../../leftovers/leftover-catalog.ts";

export function importHandlers(host: HandlerHost): Handlers<typeof importMethods> {
  const { sessions, clients, identity } = host;
  const left = new LeftoverCatalog(host);
  return {
    "import/list": () => left.list(),
    "import/take": ({ version }) => left.take(version),
    "import/offer": async () => ({ programs: await left.offer() }),
    "import/decline"() {
      left.decline();
      return {};
    },
    async "session/import"({ path, cwd }) {
      const imported = await sessions.catalog.import({ path, cwd, otherwise: identity.cwd });
      clients.broadcast("sessions/changed", {});
      return imported;
    },
    "session/importable": (wanted) => importableSessions(identity.env.HOME ?? homedir(), wanted),
  };
}
