import type { Handlers, ServerMethods } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";

type Names = "auth/list" | "auth/set" | "auth/remove" | "auth/login" | "auth/paste" | "auth/cancel";

export function authHandlers({ credentials, logins }: HandlerHost): Pick<Handlers<ServerMethods>, Names> {
  return {
    "auth/list": ({ provider }) => credentials.list(provider),
    "auth/set": ({ provider, key }) => credentials.setKey(provider, key),
    "auth/remove": ({ provider }) => credentials.remove(provider),
    "auth/login": ({ provider }) => logins.start(provider),
    "auth/paste": ({ loginId, text }) => logins.paste(loginId, text),
    "auth/cancel": ({ loginId }) => {
      logins.cancel(loginId);
      return {};
    },
  };
}
