import { errorText } from "@harness/client";
import { type SessionUpdate, textOf } from "@harness/protocol";
import type { ScreenHost } from "../screen.ts";
import { SessionPages } from "./session-pages.ts";
import { emptyHistory, type HistoryState, historySlice, type SessionPreview, selectedSession } from "./state.ts";

/** While the mark moves through the list, a preview is requested only after it has rested this long. */
const REST_MS = 80;
/** Facts read for the last messages: enough for a turn with many tool calls. */
const LAST_FACTS = 200;
const MAX_TITLE = 200;

/** Lists, previews, opens, renames and deletes stored sessions. */
export class HistoryController {
  readonly #host: ScreenHost;
  readonly #pages: SessionPages;
  #stop: (() => void) | undefined;

  constructor(host: ScreenHost) {
    this.#host = host;
    this.#pages = new SessionPages(host, () => this.#previewSoon());
  }

  /** The list stays until it is loaded again; the filter and the mark are reset. */
  reset(): void {
    const { sessions, foundBy, total, cursor } = this.#state;
    this.#change({ ...emptyHistory, ...(foundBy === "" ? { sessions, total, cursor } : {}) });
  }

  load(): void {
    this.#pages.load();
  }

  /** Sessions of this window or of others have changed. */
  refresh(): void {
    this.#pages.refresh();
  }

  /** `toEnd`: go to the oldest session, whether it is loaded yet or not. */
  mark(selected: number, { toEnd = false } = {}): void {
    this.#change({ selected, problem: undefined });
    this.#pages.follow({ toEnd });
    this.#previewSoon();
  }

  filter(filter: string, { typing }: { typing: boolean }): void {
    this.#change({ filter, filtering: typing, selected: 0, problem: undefined });
    this.#pages.follow();
    this.#previewSoon();
  }

  async open(sessionId: string): Promise<void> {
    const { session, store } = this.#host;
    if (await session.open(sessionId)) return;
    this.#change({ problem: store.get().notes.at(-1)?.text ?? "The session could not be opened." });
  }

  async saveTitle(title: string): Promise<void> {
    const session = selectedSession(this.#state);
    if (!session) return;
    if (title === "") return this.#change({ problem: "A title needs at least one character." });
    const { sessionId } = session;
    const named = { title: title.slice(0, MAX_TITLE) };
    try {
      await this.#host.server.call("session/set_title", { sessionId, ...named });
      const renamed = this.#state.sessions?.map((each) =>
        each.sessionId === sessionId ? { ...each, ...named } : each,
      );
      this.#change({ renaming: undefined, sessions: renamed, problem: undefined });
      this.#pages.refresh();
    } catch (error) {
      this.#change({ problem: `The title could not be saved: ${errorText(error)}` });
    }
  }

  async deleteSelected(): Promise<void> {
    const session = selectedSession(this.#state);
    if (!session) return;
    const { sessionId } = session;
    try {
      await this.#host.server.call("session/delete", { sessionId });
      this.#host.session.forget(sessionId);
      const { sessions, total } = this.#state;
      const kept = sessions?.filter((each) => each.sessionId !== sessionId);
      this.#change({ sessions: kept, total: total - 1 });
      this.#pages.refresh();
    } catch (error) {
      this.#change({ problem: `The session could not be deleted: ${errorText(error)}` });
    }
  }

  get #state(): HistoryState {
    return historySlice.of(this.#host.store.get());
  }

  #previewSoon(): void {
    this.#stop?.();
    this.#stop = this.#host.clock.after(REST_MS, () => void this.#preview());
  }

  async #preview(): Promise<void> {
    const session = selectedSession(this.#state);
    if (!session || session.sessionId === this.#state.preview?.sessionId) return;
    const { sessionId } = session;
    try {
      const { events } = await this.#host.server.call("session/history", {
        sessionId,
        before: Number.MAX_SAFE_INTEGER,
        limit: LAST_FACTS,
      });
      this.#change({ preview: previewOf(sessionId, session.preview, events as SessionUpdate[]) });
    } catch (error) {
      this.#change({ preview: { sessionId, lines: [] }, problem: `No preview: ${errorText(error)}` });
    }
  }

  #change(changes: Partial<HistoryState>): void {
    historySlice.change(this.#host.store, changes);
  }
}

/** The first message and the last ones, without empty ones. */
function previewOf(sessionId: string, first: string, events: readonly SessionUpdate[]): SessionPreview {
  const lines: { who: "user" | "agent"; text: string }[] = [];
  for (const { update, agentId } of events) {
    if (agentId !== "main") continue;
    if (update.sessionUpdate === "user_message" && update.origin === "user")
      lines.push({ who: "user", text: textOf(update.content) });
    if (update.sessionUpdate === "agent_message") lines.push({ who: "agent", text: textOf(update.parts) });
  }
  const spoken = lines.filter(({ text }) => text.trim() !== "");
  const hasFirst = spoken.length > 0 && spoken[0]?.text.startsWith(first.slice(0, 40));
  return { sessionId, lines: hasFirst || first === "" ? spoken : [{ who: "user", text: first }, ...spoken] };
}
