import type { Handlers, ServerMethods } from "@harness/protocol";
import type { HarnessServer } from "../harness-server.ts";

type Names = "models/list" | "providers/list";

export function modelHandlers({ models, cwd }: HarnessServer): Pick<Handlers<ServerMethods>, Names> {
  return {
    "models/list": ({ provider }) => models.list(provider, cwd),
    "providers/list": () => models.providers(cwd),
  };
}
