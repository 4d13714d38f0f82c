import { errorText } from "@harness/client";
import type { SessionUpdate } from "@harness/protocol";
import type { ScreenHost } from "../../screen.ts";
import { currentEntry, type HistoryState, historySlice } from "../state.ts";
import type { HistoryEntry } from "../stored/entries.ts";
import {
  gapBetween,
  joinedParts,
  type PreviewGap,
  type PreviewPart,
  previewParts,
  type SessionPreview,
} from "../stored/session-preview.ts";

/** While the selection moves through the list, a preview is requested only after it has rested this long. */
const REST_MS = 80;
/** Facts read of the beginning, and of the end: enough for a turn with many tool calls. */
const FIRST_FACTS = 60;
const LAST_FACTS = 200;
/** Facts read before and behind a passage. */
const AROUND = 40;

type Page = { events: readonly SessionUpdate[]; more: boolean };

/** Reads a page or two of the selected session, so that it can be looked at without being opened. */
export class PreviewReader {
  readonly #host: Pick<ScreenHost, "store" | "server" | "clock">;
  #stop: (() => void) | undefined;

  constructor(host: Pick<ScreenHost, "store" | "server" | "clock">) {
    this.#host = host;
  }

  /** Another entry may be selected. */
  soon(): void {
    this.#stop?.();
    this.#stop = this.#host.clock.after(REST_MS, () => void this.#read());
  }

  get #state(): HistoryState {
    return historySlice.of(this.#host.store.get());
  }

  async #read(): Promise<void> {
    const entry = currentEntry(this.#state);
    const { preview } = this.#state;
    if (
      !entry ||
      entry.importable ||
      this.#state.section === "bin" ||
      (preview?.sessionId === entry.session.sessionId && preview.at === entry.hit?.seq)
    )
      return;
    const { sessionId } = entry.session;
    const at = entry.hit?.seq;
    const of = { sessionId, at, agentId: entry.hit?.agentId ?? "main" };
    try {
      const parts = await (entry.hit ? this.#around(entry.hit) : this.#ends(sessionId));
      // By now the selection may be on an entry that has its preview already.
      if (isSelected(this.#state, entry)) this.#change({ preview: { ...of, parts }, scroll: undefined });
    } catch (error) {
      if (!isSelected(this.#state, entry)) return;
      this.#change({ preview: { ...of, parts: [] }, problem: `No preview: ${errorText(error)}` });
    }
  }

  async #ends(sessionId: string): Promise<PreviewPart[]> {
    const first = await this.#page({ sessionId, after: 0, limit: FIRST_FACTS });
    if (!first.more) return joinedParts(first, { events: [] });
    return joinedParts(first, await this.#page({ sessionId, before: Number.MAX_SAFE_INTEGER, limit: LAST_FACTS }));
  }

  async #around({ sessionId, seq, agentId }: NonNullable<HistoryEntry["hit"]>): Promise<PreviewPart[]> {
    const after = Math.max(0, seq - AROUND);
    const { events, more } = await this.#page({ sessionId, after, limit: 2 * AROUND });
    const end = more ? gapBetween(lastOf(events, after), Number.MAX_SAFE_INTEGER) : [];
    return [...gapBetween(0, after + 1), ...previewParts(events, agentId), ...end];
  }

  /** The preview with what a page of the gap has, at its beginning or at its end. Undefined: it cannot be read. */
  async filled(
    preview: SessionPreview,
    gap: PreviewGap,
    direction: "up" | "down",
  ): Promise<SessionPreview | undefined> {
    const { sessionId, agentId } = preview;
    const { after, before } = gap;
    try {
      const range = direction === "down" ? { after } : { before };
      const page = await this.#page({ sessionId, ...range, limit: LAST_FACTS });
      const events = page.events.filter(({ seq = 0 }) => seq > after && seq < before);
      const [first, last] = [events[0]?.seq ?? before, lastOf(events, after)];
      const parts = previewParts(events, agentId);
      const rest =
        direction === "down" ? gapBetween(last, page.more ? before : 0) : gapBetween(after, page.more ? first : 0);
      const filling = direction === "down" ? [...parts, ...rest] : [...rest, ...parts];
      return { ...preview, parts: preview.parts.flatMap((part) => (part === gap ? filling : [part])) };
    } catch {
      // The gap stays.
      return undefined;
    }
  }

  async #page(params: { sessionId: string; after?: number; before?: number; limit: number }): Promise<Page> {
    const { events, more } = await this.#host.server.call("session/history", params);
    // Kinds of a newer version have no messages.
    return { events: events as SessionUpdate[], more };
  }

  #change(changes: Partial<HistoryState>): void {
    historySlice.change(this.#host.store, changes);
  }
}

function lastOf(events: readonly SessionUpdate[], otherwise: number): number {
  return events.at(-1)?.seq ?? otherwise;
}

function isSelected(state: HistoryState, { session, hit }: HistoryEntry): boolean {
  const now = currentEntry(state);
  return now?.session.sessionId === session.sessionId && now.hit?.seq === hit?.seq;
}
