import type { Handlers, ServerMethods } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";

export function egressHandlers({ egress, cwd }: HandlerHost): Pick<Handlers<ServerMethods>, "egress/list"> {
  return {
    "egress/list": ({ last }) => ({ localOnly: egress.at(cwd).localOnly, ...egress.list(last) }),
  };
}
