import { type Handlers, protocolError, type sessionSearchMethods } from "@harness/protocol";
import type { HandlerHost } from "../../handler-host.ts";

export function sessionSearchHandlers({ sessions, workspaces }: HandlerHost): Handlers<typeof sessionSearchMethods> {
  return {
    async "session/search"(params) {
      if (params.since !== undefined && Number.isNaN(Date.parse(params.since)))
        throw protocolError("invalid_params", `"${params.since}" is no date. Write it like 2026-11-21.`, {
          issues: [],
        });
      const redactor = workspaces.own.safety.redactor();
      const found = await sessions.catalog.search(params, (text) => redactor.hide(text));
      // The search may have had too little time.
      sessions.index.soon();
      return found;
    },
  };
}
