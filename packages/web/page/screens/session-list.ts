import type { Result, ServerMethods } from "@harness/protocol";
import { visibleText } from "@harness/protocol/text";
import { element } from "../dom.ts";
import { agoText } from "../shown-text.ts";

type LiveSession = Result<ServerMethods, "session/live">["sessions"][number];
type StoredSession = Result<ServerMethods, "session/list">["sessions"][number];

export type SessionLists = { readonly live: readonly LiveSession[]; readonly stored: readonly StoredSession[] };

const words: Partial<Record<LiveSession["state"], string>> = {
  running: "running",
  waiting: "waiting for subagents",
  requires_action: "waits for your answer",
};

/** Every session of this person: those that a server holds first. `open`: with the id of one. */
export function sessionList({ live, stored }: SessionLists, open: (sessionId: string) => void): HTMLElement {
  const held = new Set(live.map(({ sessionId }) => sessionId));
  const liveRows = live.map((each) => {
    const state = words[each.state] ?? "open";
    return listRow(each, { state, isWaiting: each.state === "requires_action" }, open);
  });
  const storedRows = stored
    .filter(({ sessionId }) => !held.has(sessionId))
    .map((each) => listRow(each, { state: agoText(each.updatedAt, Date.now()) }, open));
  return element(
    "nav",
    { class: "sessions", "aria-label": "Sessions" },
    liveRows.length > 0 && element("h2", {}, "Now"),
    ...liveRows,
    storedRows.length > 0 && element("h2", {}, "Earlier"),
    ...storedRows,
    liveRows.length + storedRows.length === 0 && element("p", { class: "muted" }, "There are no sessions yet."),
  );
}

function listRow(
  { sessionId, title, preview, cwd }: Pick<LiveSession, "sessionId" | "title" | "preview" | "cwd">,
  { state, isWaiting = false }: { state: string; isWaiting?: boolean },
  open: (sessionId: string) => void,
): HTMLElement {
  const name = visibleText((title ?? preview).replace(/\s+/g, " ").trim()) || "Untitled";
  return element(
    "button",
    { class: isWaiting ? "row waiting" : "row", click: () => open(sessionId) },
    element("span", { class: "name" }, name),
    element("span", { class: "muted" }, `${visibleText(folderName(cwd))} · ${state}`),
  );
}

export function folderName(path: string): string {
  return (
    path
      .split(/[\\/]/)
      .filter((part) => part !== "")
      .at(-1) ?? path
  );
}
