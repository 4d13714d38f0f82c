import type { SessionLog, SessionStore } from "@harness/core";
import { type Fact, fold, ROOT_AGENT, type StoredFact, textOf } from "@harness/protocol";
import { openStore } from "../src/sessions/session-store.ts";

/** The id and the time of the session that tests of Markdown sessions write. */
export const MARKDOWN_ID = "20261121-143022-test";
export const MARKDOWN_AT = "2026-11-21T14:30:22.000Z";

/** A store whose sessions are all in this folder, as Markdown files. */
export function openMarkdown(root: string): SessionStore {
  const place = { path: root, isOurs: true };
  const clock = { now: () => Date.parse(MARKDOWN_AT) };
  return openStore(root, { clock, places: { all: () => [place], forNew: () => place } });
}

export const asks = (text: string): Fact => ({
  sessionUpdate: "user_message",
  messageId: `m-${text}`,
  content: [{ type: "text", text }],
  origin: "user",
});
export const says = (text: string, more: object = {}): Fact => ({
  sessionUpdate: "agent_message",
  messageId: `r-${text}`,
  parts: [{ type: "text", text }],
  stop: "end",
  provider: "local",
  model: "small",
  usage: { inputTokens: 12, outputTokens: 3 },
  ...more,
});
export const callsBash: Fact = {
  ...says("Let me look."),
  parts: [
    { type: "thinking", text: "I need the list.", signature: "abc=" },
    { type: "text", text: "Let me look." },
    { type: "tool_call", toolCallId: "call_1", name: "bash", input: { command: "ls -la" } },
  ],
  stop: "tool_calls",
} as Fact;
export const result = (text: string, toolCallId = "call_1"): Fact => ({
  sessionUpdate: "tool_call_update",
  toolCallId,
  status: "completed",
  name: "bash",
  outcome: { status: "ok", text, blocks: [], durationMs: 4 },
});

export function append(log: SessionLog, ...updates: Fact[]): StoredFact[] {
  return updates.map((update) => log.append({ agentId: ROOT_AGENT, at: MARKDOWN_AT, update }));
}

/** The changes of the files, taken as a turn takes them. */
export function take(log: SessionLog): Fact[] {
  const changes = log.outsideChanges();
  for (const { agentId, update } of changes) log.append({ agentId, at: MARKDOWN_AT, update });
  return changes.map(({ update }) => update);
}

/** The conversation as a front shows it. */
export function shown(facts: Iterable<StoredFact>): string[] {
  const main = fold(MARKDOWN_ID, facts).agents.get(ROOT_AGENT);
  return (main?.items ?? []).flatMap((item) => {
    if (item.kind === "user") return [`> ${textOf(item.content)}`];
    if (item.kind === "agent") return [textOf(item.parts)];
    if (item.kind === "tool") return [`${item.name}: ${item.outcome?.text}`];
    return item.kind === "notice" || item.kind === "rewind" ? [`[${"title" in item ? item.title : ""}]`] : [];
  });
}

/** The same without notices. */
export function said(facts: Iterable<StoredFact>): string[] {
  return shown(facts).filter((line) => !line.startsWith("["));
}
