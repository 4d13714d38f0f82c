import type { PastEntry } from "@harness/core";
import { ROOT_AGENT } from "@harness/protocol";

const WORDS: Readonly<Record<PastEntry["kind"], string>> = {
  person: "you",
  agent: "agent",
  message: "message",
  result: "result",
  summary: "summary",
};

/** One line for an entry of a session's past, such as `#12 result of bash, 4,000 characters: …`. */
export function pastLine({ seq, kind, name, agentId, text }: PastEntry, excerpt: string): string {
  const what = name === undefined ? WORDS[kind] : `${WORDS[kind]} of ${name}`;
  const of = agentId === ROOT_AGENT ? "" : ` (${agentId})`;
  return `#${seq} ${what}${of}, ${text.length.toLocaleString("en")} characters: ${excerpt.replace(/\s+/gu, " ").trim()}`;
}
