import type { checkMethods, Handlers } from "@harness/protocol";
import type { HandlerHost } from "../../handler-host.ts";

export function checkHandlers({ sessions }: HandlerHost): Handlers<typeof checkMethods> {
  return {
    "session/check": ({ sessionId }) => sessions.catalog.check(sessionId),
  };
}
