import type { AppState } from "../state/app-state.ts";
import { rootAgent } from "../state/selectors.ts";

/** Of an answer in words, the lines that the last notice of the conversation in view does not say already. */
export function unsaidLines(text: string, { screen, session }: Pick<AppState, "screen" | "session">): string {
  const last = screen === "chat" ? rootAgent(session)?.items.at(-1) : undefined;
  if (last?.kind !== "notice" && last?.kind !== "rewind") return text.trim();
  const said = new Set([last.title, ...(last.description ?? "").split("\n")]);
  return text
    .split("\n")
    .filter((line) => !said.has(line))
    .join("\n")
    .trim();
}
