import type { egressMethods, Handlers } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";

export function egressHandlers({ workspaces, records }: HandlerHost): Handlers<typeof egressMethods> {
  return {
    "egress/list": ({ last }) => ({
      localOnly: workspaces.own.safety.egress.localOnly,
      ...records.egress.list(last),
    }),
  };
}
