import type { Handlers, ServerMethods } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";

export function egressHandlers({ identity, safety }: HandlerHost): Pick<Handlers<ServerMethods>, "egress/list"> {
  return {
    "egress/list": ({ last }) => ({
      localOnly: safety.egress.at(identity.cwd).localOnly,
      ...safety.egress.list(last),
    }),
  };
}
