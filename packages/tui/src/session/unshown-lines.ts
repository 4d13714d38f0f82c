import { shownAgent } from "../state/agents.ts";
import type { AppState } from "../state/app-state.ts";

/** The lines of a text that the last notice in view does not already show. */
export function unshownLines(text: string, state: Pick<AppState, "screen" | "session" | "agentInView">): string {
  const last = state.screen === "chat" ? shownAgent(state)?.items.at(-1) : undefined;
  if (last?.kind !== "notice" && last?.kind !== "rewind") return withoutEdges(text);
  const shown = new Set([last.title, ...(last.description ?? "").split("\n")]);
  const lines = text.split("\n").filter((line) => !shown.has(line));
  return withoutEdges(lines.join("\n"));
}

/** Trims blank lines at both ends; the first line keeps its indent, which may align it with the others. */
function withoutEdges(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}
