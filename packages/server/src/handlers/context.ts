import { compactionDiff, type PastEntry, pastEntries, searchEntries } from "@harness/core";
import { type contextMethods, type Handlers, type PastItem, protocolError, ROOT_AGENT } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";
import { requestReport } from "../inspection/request-report.ts";
import { compactError } from "./messages/compact-error.ts";

/** An excerpt without words to search for. */
const MAX_EXCERPT = 200;

export function contextHandlers({ sessions: { live, sent } }: HandlerHost): Handlers<typeof contextMethods> {
  return {
    async "session/brief"({ sessionId, purpose }, { leaveLane }) {
      leaveLane();
      const answer = await live.need(sessionId).session.brief(purpose);
      if ("problem" in answer) throw compactError(answer);
      return answer;
    },
    "session/compaction"({ sessionId, agentId = ROOT_AGENT, compactionId, offset, limit }) {
      const { log, hide } = live.need(sessionId);
      const diff = compactionDiff(log, { agentId, compactionId });
      if (!diff) {
        const text =
          compactionId === undefined ? "This conversation has not been compacted yet." : "There is no such compaction.";
        throw protocolError("not_found", text, { what: "compaction", ...(compactionId ? { id: compactionId } : {}) });
      }
      const { seq, at, compaction, left, stayed } = diff;
      const { compactionId: id, summary, tokensBefore, tokensAfter, shortened = 0 } = compaction;
      const items = left.slice(offset, offset + limit).map((entry) => itemOf(entry, hide(beginningOf(entry.text))));
      return {
        ...{ seq, at, compactionId: id, summary: hide(summary), tokensBefore, tokensAfter },
        left: { items, count: left.length, chars: charsOf(left) },
        stayed: { count: stayed.length, chars: charsOf(stayed), shortened },
      };
    },
    "session/recall"({ sessionId, agentId, query, limit }) {
      const { log, hide } = live.need(sessionId);
      const entries = pastEntries(log, agentId === undefined ? {} : { agentId });
      const { hits, count } = searchEntries(entries, query, limit);
      return { items: hits.map(({ entry, excerpt }) => itemOf(entry, hide(excerpt))), count };
    },
    async "session/request"({ sessionId, agentId = ROOT_AGENT }) {
      const { hide } = live.need(sessionId);
      const requests = sent.of(sessionId, agentId);
      if (requests) return requestReport(requests, hide);
      throw protocolError("not_found", "No request has been sent since the session was opened.", { what: "request" });
    },
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

function itemOf({ seq, at, agentId, kind, name, text }: PastEntry, excerpt: string): PastItem {
  return { seq, at, agentId, kind, ...(name === undefined ? {} : { name }), chars: text.length, excerpt };
}

function beginningOf(text: string): string {
  const line = text
    .slice(0, MAX_EXCERPT * 2)
    .replace(/\s+/gu, " ")
    .trim();
  return line.length > MAX_EXCERPT ? `${line.slice(0, MAX_EXCERPT).toWellFormed()}…` : line;
}

function charsOf(entries: readonly PastEntry[]): number {
  return entries.reduce((sum, { text }) => sum + text.length, 0);
}
