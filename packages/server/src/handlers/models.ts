import type { Handlers, ServerMethods } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";

type Names = "models/list" | "providers/list";

export function modelHandlers({ models, cwd }: HandlerHost): Pick<Handlers<ServerMethods>, Names> {
  return {
    "models/list": ({ provider }) => models.list(provider, cwd),
    "providers/list": () => models.providers(cwd),
  };
}
