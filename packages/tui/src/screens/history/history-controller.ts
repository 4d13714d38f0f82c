import { type SessionUpdate, textOf } from "@harness/protocol";
import { type Clock, wordsOf } from "../../client/harness-client.ts";
import type { ServerLink } from "../../client/server-link.ts";
import { type InputEvent, type KeyEvent, TextBuffer } from "../../input/index.ts";
import { windowKey } from "../../keymap/window-keys.ts";
import type { Store } from "../../state/store.ts";
import { lineEdited } from "../../widgets/line-edits.ts";
import { listMoved } from "../../widgets/list-moves.ts";
import { type HistoryState, type Preview, selectedSession, shownSessions } from "./state.ts";

/** Moving through the list asks for a preview only where the mark rests. */
const REST_MS = 80;
/** Facts looked at for the last messages: enough for a turn with many tool calls. */
const LAST_FACTS = 200;
const MAX_SESSIONS = 500;

export type HistoryDeskParts = {
  store: Store;
  link: Pick<ServerLink, "call">;
  clock: Clock;
  open(sessionId: string): Promise<boolean>;
  /** The session in view was deleted. */
  forget(sessionId: string): void;
  close(): void;
};

/** The stored sessions: filters, shows, renames, deletes. */
export class HistoryDesk {
  readonly #parts: HistoryDeskParts;
  #stop: (() => void) | undefined;

  constructor(parts: HistoryDeskParts) {
    this.#parts = parts;
  }

  async load(): Promise<void> {
    try {
      const { sessions } = await this.#parts.link.call("session/list", { limit: MAX_SESSIONS });
      this.#change({ sessions, problem: undefined });
      this.#previewSoon();
    } catch (error) {
      this.#change({ sessions: [], problem: `The sessions could not be listed: ${wordsOf(error)}` });
    }
  }

  key(event: InputEvent): void {
    if (event.type !== "key" && event.type !== "paste") return;
    const { history } = this.#parts.store.get();
    if (history.renaming) {
      this.#rename(event, history.renaming);
      return;
    }
    if (event.type === "paste") return;
    if (history.asking) {
      this.#answer(event);
      return;
    }
    if (history.filtering) {
      this.#filter(event, history.filter);
      return;
    }
    const moved = listMoved(event, history.selected, shownSessions(history).length);
    if (moved !== undefined) {
      this.#mark(moved);
      return;
    }
    if (windowKey(event, "lists") === "close") {
      if (history.filter === "") this.#parts.close();
      else this.#change({ filter: "", selected: 0 });
      return;
    }
    this.#act(event, history);
  }

  #act(key: KeyEvent, history: HistoryState): void {
    const session = selectedSession(history);
    const action = windowKey(key, "history");
    if (action === "filter") {
      this.#change({ filtering: true, problem: undefined });
      return;
    }
    if (!session || !action) return;
    if (action === "resume") void this.#open(session.sessionId);
    else if (action === "delete") this.#change({ asking: true, problem: undefined });
    else this.#change({ renaming: TextBuffer.of(session.title ?? ""), problem: undefined });
  }

  async #open(sessionId: string): Promise<void> {
    if (await this.#parts.open(sessionId)) return;
    const note = this.#parts.store.get().notes.at(-1);
    this.#change({ problem: note?.text ?? "The session could not be opened." });
  }

  #filter(key: KeyEvent, filter: string): void {
    const moved = key.text === "" ? listMoved(key, this.#parts.store.get().history.selected, this.#count()) : undefined;
    if (key.name === "escape") this.#change({ filtering: false, filter: "", selected: 0 });
    else if (key.name === "enter") this.#change({ filtering: false });
    else if (moved !== undefined) {
      this.#mark(moved);
      return;
    } else if (key.name === "backspace") this.#change({ filter: filter.slice(0, -1), selected: 0 });
    else if (key.text !== "") this.#change({ filter: filter + key.text, selected: 0 });
    this.#previewSoon();
  }

  #rename(event: InputEvent, buffer: TextBuffer): void {
    const name = event.type === "key" ? event.name : "";
    if (name === "escape") {
      this.#change({ renaming: undefined });
      return;
    }
    if (name === "enter") return void this.#saveTitle(buffer.text.trim());
    const next = lineEdited(buffer, event);
    if (next) this.#change({ renaming: next });
  }

  async #saveTitle(title: string): Promise<void> {
    const session = selectedSession(this.#parts.store.get().history);
    if (!session) return;
    if (title === "") return this.#change({ problem: "A title needs at least one character." });
    try {
      await this.#parts.link.call("session/set_title", { sessionId: session.sessionId, title: title.slice(0, 200) });
      this.#change({ renaming: undefined });
      await this.load();
    } catch (error) {
      this.#change({ problem: `The title could not be saved: ${wordsOf(error)}` });
    }
  }

  #answer(key: KeyEvent): void {
    this.#change({ asking: false });
    const session = selectedSession(this.#parts.store.get().history);
    if (key.name === "y" && session) void this.#delete(session.sessionId);
  }

  async #delete(sessionId: string): Promise<void> {
    try {
      await this.#parts.link.call("session/delete", { sessionId });
      this.#parts.forget(sessionId);
      await this.load();
    } catch (error) {
      this.#change({ problem: `The session could not be deleted: ${wordsOf(error)}` });
    }
  }

  #mark(selected: number): void {
    this.#change({ selected, problem: undefined });
    this.#previewSoon();
  }

  #count(): number {
    return shownSessions(this.#parts.store.get().history).length;
  }

  #previewSoon(): void {
    this.#stop?.();
    this.#stop = this.#parts.clock.after(REST_MS, () => void this.#preview());
  }

  async #preview(): Promise<void> {
    const session = selectedSession(this.#parts.store.get().history);
    if (!session || session.sessionId === this.#parts.store.get().history.preview?.sessionId) return;
    const { sessionId } = session;
    try {
      const { events } = await this.#parts.link.call("session/history", {
        sessionId,
        before: Number.MAX_SAFE_INTEGER,
        limit: LAST_FACTS,
      });
      this.#change({ preview: previewOf(sessionId, session.preview, events as SessionUpdate[]) });
    } catch (error) {
      this.#change({ preview: { sessionId, lines: [] }, problem: `No preview: ${wordsOf(error)}` });
    }
  }

  #change(history: Partial<HistoryState>): void {
    this.#parts.store.dispatch({ type: "historyChanged", history });
  }
}

/** The first message and the last ones, of those that say something. */
function previewOf(sessionId: string, first: string, events: readonly SessionUpdate[]): Preview {
  const lines: { who: "user" | "agent"; text: string }[] = [];
  for (const { update, agentId } of events) {
    if (agentId !== "main") continue;
    if (update.sessionUpdate === "user_message" && update.origin === "user")
      lines.push({ who: "user", text: textOf(update.content) });
    if (update.sessionUpdate === "agent_message") lines.push({ who: "agent", text: textOf(update.parts) });
  }
  const said = lines.filter(({ text }) => text.trim() !== "");
  const hasFirst = said.length > 0 && said[0]?.text.startsWith(first.slice(0, 40));
  return { sessionId, lines: hasFirst || first === "" ? said : [{ who: "user", text: first }, ...said] };
}
