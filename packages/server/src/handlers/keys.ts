import { type Handlers, type keysMethods, protocolError } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";

export function keysHandlers({ person, clients }: HandlerHost): Handlers<typeof keysMethods> {
  const { keys: file } = person;
  return {
    "keys/get": () => ({ path: file.path, ...file.read() }),
    "keys/set": ({ action, keys }, { afterReply }) => {
      const saved = file.set(action, keys ?? undefined);
      if ("problem" in saved) throw protocolError("storage_failed", saved.problem);
      afterReply(() => clients.broadcast("keys/changed", {}));
      return { keys: file.read().keys, problems: saved.problems };
    },
  };
}
