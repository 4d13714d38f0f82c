import { type SessionUpdate, textOf } from "@harness/protocol";

/** A message in a preview, or facts that were not read between two messages. */
export type PreviewPart =
  | { readonly who: "user" | "agent" | "call"; readonly text: string; readonly seq: number }
  | PreviewGap;

/** The facts after one number and before another were not read. */
export type PreviewGap = { readonly who: "gap"; readonly after: number; readonly before: number };

/** Messages of a session. `at`: the fact of the passage that it shows; absent: its beginning and its end. */
export type SessionPreview = {
  readonly sessionId: string;
  readonly agentId: string;
  readonly at: number | undefined;
  readonly parts: readonly PreviewPart[];
};

/** A longer message is cut: a preview shows what a session is about. */
const MAX_TEXT = 4_000;

/** The messages of one agent in a page of facts. */
export function previewParts(events: readonly SessionUpdate[], agentId: string): PreviewPart[] {
  return events.flatMap(({ update, agentId: of, seq = 0 }): PreviewPart[] => {
    if (of !== agentId) return [];
    if (update.sessionUpdate === "user_message")
      return update.origin === "user" ? said("user", textOf(update.content), seq) : [];
    if (update.sessionUpdate !== "agent_message") return [];
    const calls = update.parts.flatMap((part) =>
      part.type === "tool_call" ? said("call", `${part.name} ${argumentsOf(part.input ?? {})}`, seq) : [],
    );
    return [...said("agent", textOf(update.parts), seq), ...calls];
  });
}

/** The beginning and the end of a session, each read as a page, with a gap where they do not meet. */
export function joinedParts(
  first: { events: readonly SessionUpdate[]; more: boolean },
  last: { events: readonly SessionUpdate[] },
): PreviewPart[] {
  const end = first.events.at(-1)?.seq ?? 0;
  const rest = last.events.filter(({ seq = 0 }) => seq > end);
  const begin = rest[0]?.seq ?? 0;
  const gap = first.more ? gapBetween(end, begin) : [];
  return [...previewParts(first.events, "main"), ...gap, ...previewParts(rest, "main")];
}

/** Nothing where no fact is between these. */
export function gapBetween(after: number, before: number): PreviewGap[] {
  return before - after > 1 ? [{ who: "gap", after, before }] : [];
}

function said(who: "user" | "agent" | "call", text: string, seq: number): PreviewPart[] {
  const trimmed = text.trim();
  if (trimmed === "") return [];
  return [{ who, text: trimmed.length > MAX_TEXT ? `${trimmed.slice(0, MAX_TEXT)}…` : trimmed, seq }];
}

/** The arguments that a person would recognise the call by. */
function argumentsOf(input: Readonly<Record<string, unknown>>): string {
  return Object.values(input)
    .filter((value) => typeof value === "string")
    .map((value) => value.slice(0, 200))
    .join(" ");
}
