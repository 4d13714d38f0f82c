import { type auditMethods, type Handlers, protocolError } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";

export function auditHandlers({ records: { audit } }: HandlerHost): Handlers<typeof auditMethods> {
  return {
    async "audit/list"({ last, sessionId }) {
      const list = await audit.list({ last, ...(sessionId === undefined ? {} : { sessionId }) });
      return { ...list, path: audit.path };
    },
    async "audit/clear"() {
      const cleared = await audit.clear();
      if ("problem" in cleared) throw protocolError("storage_failed", cleared.problem);
      return cleared;
    },
  };
}
