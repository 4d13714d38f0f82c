import type { Handlers, sessionSearchMethods } from "@harness/protocol";
import type { HandlerHost } from "../../handler-host.ts";
import { needDate } from "./need-date.ts";

export function sessionSearchHandlers({ sessions, workspaces }: HandlerHost): Handlers<typeof sessionSearchMethods> {
  return {
    async "session/search"(params) {
      needDate(params.since);
      const redactor = workspaces.own.safety.redactor();
      const found = await sessions.catalog.search(params, (text) => redactor.hide(text));
      // The search may have had too little time.
      sessions.index.soon();
      return found;
    },
  };
}
