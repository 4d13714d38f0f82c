import type { Handlers, ServerMethods } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";

export function egressHandlers({ workspaces, records }: HandlerHost): Pick<Handlers<ServerMethods>, "egress/list"> {
  return {
    "egress/list": ({ last }) => ({
      localOnly: workspaces.own.safety.egress.localOnly,
      ...records.egress.list(last),
    }),
  };
}
