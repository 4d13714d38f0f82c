import { type Handlers, protocolError, type ServerMethods } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";

export function contextHandlers({ sessions: { live } }: HandlerHost): Pick<Handlers<ServerMethods>, "session/context"> {
  return {
    async "session/context"({ sessionId, agentId }) {
      const { session, hide } = live.need(sessionId);
      const report = await session.contextReport(agentId);
      if ("problem" in report) throw protocolError("conflict", report.problem, {});
      const shown = (items: { name: string; tokens: number }[]) =>
        items.map(({ name, tokens }) => ({ name: hide(name), tokens }));
      return {
        ...report,
        sections: report.sections.map(({ items, ...section }) => ({
          ...section,
          ...(items ? { items: shown(items) } : {}),
        })),
        droppable: report.droppable.map((part) => ({ ...part, title: hide(part.title), items: shown(part.items) })),
      };
    },
  };
}
