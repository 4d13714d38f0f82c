import { type Handlers, type processMethods, protocolError } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";

/** Where a read without a position begins: about a screenful before the end. */
const END_BYTES = 16_000;

export function processHandlers({ sessions: { live } }: HandlerHost): Handlers<typeof processMethods> {
  const find = (sessionId: string, processId: string) => {
    const { processes } = live.need(sessionId);
    const found = processes.find(processId);
    if (found) return { processes, found };
    throw protocolError("not_found", `There is no process ${processId} in this session; process/list lists them.`, {
      what: "process",
      id: processId,
    });
  };
  return {
    async "process/list"({ sessionId }) {
      const { processes, hide } = live.need(sessionId);
      const views = await processes.views();
      return { processes: views.map((view) => ({ ...view, lastLine: hide(view.lastLine) })) };
    },
    "process/read"({ sessionId, processId, offset, maxBytes }) {
      const { output } = find(sessionId, processId).found;
      const {
        bytes,
        offset: from,
        nextOffset,
      } = output.read(offset ?? Math.max(0, output.end - Math.min(maxBytes, END_BYTES)), maxBytes);
      const text = live.need(sessionId).hide(bytes.toString());
      return { text, offset: from, nextOffset, more: nextOffset < output.end };
    },
    async "process/send"({ sessionId, processId, input }) {
      const problem = await find(sessionId, processId).found.send(input);
      if (problem !== undefined) throw protocolError("conflict", `Nothing was sent to ${processId}: ${problem}.`, {});
      return {};
    },
    async "process/stop"({ sessionId, processId }) {
      const { processes, found } = find(sessionId, processId);
      await processes.stop(found, "person");
      return { process: await processes.view(found) };
    },
    async "process/keep"({ sessionId, processId, keep }) {
      const { processes, found } = find(sessionId, processId);
      const problem = processes.keep(found, { isKept: keep });
      if (problem !== undefined)
        throw protocolError("conflict", `${processId} cannot be kept running: ${problem}.`, {});
      return { process: await processes.view(found) };
    },
  };
}
