import { type authMethods, type Handlers, protocolError } from "@harness/protocol";
import type { Client } from "../clients/client.ts";
import type { HandlerHost } from "../handler-host.ts";

export function authHandlers(server: HandlerHost, client: Client): Handlers<typeof authMethods> {
  const { credentials, logins } = server.models;
  return {
    "auth/list": ({ provider }) => credentials.list(provider),
    "auth/set": ({ provider, key }) => credentials.setKey(provider, key),
    async "auth/obtain"({ provider }) {
      // An unknown provider is reported before a program runs for it.
      const { id } = await credentials.vendor(provider);
      const found = await server.workspaces.own.brought.hooks.outer.key(id);
      if (!found) return { problems: [] };
      if ("problem" in found) throw protocolError("auth_required", found.problem, { provider: id });
      return await credentials.setKey(id, found.key);
    },
    "auth/remove": ({ provider }) => credentials.remove(provider),
    "auth/login": ({ provider }) => logins.start(provider, client.closed),
    "auth/paste": ({ loginId, text }) => logins.paste(loginId, text),
    "auth/cancel": ({ loginId }) => {
      logins.cancel(loginId);
      return {};
    },
  };
}
