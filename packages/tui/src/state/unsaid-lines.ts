import type { SessionState } from "@harness/protocol";
import { rootAgent } from "./selectors.ts";

/** Of an answer in words, the lines that the last notice of the conversation does not say already. */
export function unsaidLines(text: string, session: SessionState | undefined): string {
  const last = rootAgent(session)?.items.at(-1);
  if (last?.kind !== "notice") return text.trim();
  const said = new Set([last.title, ...(last.description ?? "").split("\n")]);
  return text
    .split("\n")
    .filter((line) => !said.has(line))
    .join("\n")
    .trim();
}
