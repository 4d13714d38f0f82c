import type { Handlers, ServerMethods } from "@harness/protocol";
import type { Client } from "../clients/client.ts";
import type { HandlerHost } from "../handler-host.ts";
import { sessionUsage } from "../sessions/session-usage.ts";

type Names =
  | "providers/find"
  | "models/list"
  | "providers/list"
  | "models/doctor"
  | "models/add"
  | "models/pull"
  | "models/load"
  | "models/remove"
  | "usage/get";

export function modelHandlers(server: HandlerHost, client: Client): Pick<Handlers<ServerMethods>, Names> {
  const { choice: models, spend } = server.models;
  const { cwd } = server.identity;
  return {
    "models/list": ({ provider }) => models.list(provider, cwd),
    "providers/list": ({ brought }) => (brought ? models.broughtProviders(cwd) : models.providers(cwd)),
    "providers/find": ({ address }) => models.find(address, cwd),
    "models/doctor": ({ provider, model, cwd: folder = cwd }, { signal }) =>
      models.examine({ provider, model }, folder, {
        signal,
        onProbe: (probe) => client.peer.notify("models/probe", probe),
      }),
    "models/add": (added) => models.add(added, cwd),
    "models/pull": (asked, { signal }) =>
      models.pull(asked, cwd, {
        signal,
        onProgress: (update) => client.peer.notify("models/pull_update", update, { droppable: true }),
      }),
    "models/load": (asked, { signal }) => models.load(asked, cwd, signal),
    "models/remove": ({ name }) => models.remove(name),
    "usage/get": ({ sessionId, day }) => ({
      ...spend.of(day),
      ...(sessionId !== undefined && sessionUsage(server.sessions.live.need(sessionId).session)),
    }),
  };
}
