import { type Handlers, ROOT_AGENT, type ServerMethods } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";
import type { Client } from "../sessions/client.ts";

type Names = "models/list" | "providers/list" | "models/doctor" | "models/add" | "models/remove" | "usage/get";

export function modelHandlers(server: HandlerHost, client: Client): Pick<Handlers<ServerMethods>, Names> {
  const { models, spend, sessions, cwd } = server;
  return {
    "models/list": ({ provider }) => models.list(provider, cwd),
    "providers/list": () => models.providers(cwd),
    "models/doctor": ({ provider, model, cwd: folder = cwd }, { signal }) =>
      models.examine({ provider, model }, folder, {
        signal,
        onProbe: (probe) => client.peer.notify("models/probe", probe),
      }),
    "models/add": (added) => models.add(added, cwd),
    "models/remove": ({ name }) => models.remove(name),
    "usage/get": ({ sessionId, day }) => {
      const session = sessionId === undefined ? undefined : sessions.need(sessionId).session.state;
      const turn = session?.agents.get(ROOT_AGENT)?.lastTurn;
      return {
        ...spend.of(day),
        ...(session && { session: { requests: session.requests, usage: session.usage, cost: session.cost } }),
        ...(turn && { turn }),
      };
    },
  };
}
