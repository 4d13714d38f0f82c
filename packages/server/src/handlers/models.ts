import type { Handlers, modelMethods } from "@harness/protocol";
import type { Client } from "../clients/client.ts";
import type { HandlerHost } from "../handler-host.ts";
import { sessionUsage } from "../sessions/session-usage.ts";

export function modelHandlers(server: HandlerHost, client: Client): Handlers<typeof modelMethods> {
  const { choice: models, spend } = server.models;
  const { workspaces } = server;
  return {
    "models/list": ({ provider }) => models.list(provider, workspaces.own),
    "providers/list": ({ brought }) =>
      brought ? models.broughtProviders(workspaces.own) : models.providers(workspaces.own),
    "providers/find": ({ address }) => models.find(address, workspaces.own),
    "models/doctor": ({ provider, model, cwd }, { signal }) =>
      models.examine({ provider, model }, workspaces.at(cwd), {
        signal,
        onProbe: (probe) => client.peer.notify("models/probe", probe),
      }),
    "models/add": (added) => models.add(added, workspaces.own),
    "models/pull": (params, { signal }) =>
      models.pull(params, workspaces.own, {
        signal,
        onProgress: (update) => client.peer.notify("models/pull_update", update, { droppable: true }),
      }),
    "models/load": (params, { signal }) => models.load(params, workspaces.own, signal),
    "models/remove": ({ name }) => models.remove(name),
    "usage/get": ({ sessionId, day }) => ({
      ...spend.of(day),
      ...(sessionId !== undefined && sessionUsage(server.sessions.live.need(sessionId).session)),
    }),
  };
}
