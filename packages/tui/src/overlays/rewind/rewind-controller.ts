import type { RewindTarget } from "@harness/protocol";
import { wordsOf } from "../../client/harness-client.ts";
import type { ServerLink } from "../../client/server-link.ts";
import type { KeyEvent } from "../../input/index.ts";
import { windowKey } from "../../keymap/window-keys.ts";
import { unsaidLines } from "../../session/unsaid-lines.ts";
import { withTextBefore } from "../../state/composer.ts";
import { type RewindPicker, type RewindPlace, rewindPlaces } from "../../state/rewind-places.ts";
import type { Store } from "../../state/store.ts";
import { listMoved } from "../../widgets/list-moves.ts";

export type RewindDeskParts = { store: Store; link: Pick<ServerLink, "call"> };

/** Goes back to before one of the person's messages: lists them, asks what shall go back, and gives the message back. */
export class RewindDesk {
  readonly #parts: RewindDeskParts;

  constructor(parts: RewindDeskParts) {
    this.#parts = parts;
  }

  open(): void {
    const { session, reading } = this.#parts.store.get();
    const places = session && !reading ? rewindPlaces(session) : [];
    if (places.length === 0) this.#say("info", "There is nothing to go back to: no message was sent in this session.");
    else this.#show({ kind: "rewind", places, selected: 0, chosen: false, working: false });
  }

  key(key: KeyEvent): void {
    const { overlay } = this.#parts.store.get();
    if (overlay?.kind !== "rewind" || overlay.working) return;
    const place = overlay.places[overlay.selected];
    if (!place) return;
    if (overlay.chosen) this.#whatKey(key, overlay, place);
    else this.#listKey(key, overlay);
  }

  #listKey(key: KeyEvent, picker: RewindPicker): void {
    const moved = listMoved(key, picker.selected, picker.places.length);
    if (moved !== undefined) this.#show({ ...picker, selected: moved });
    else if (windowKey(key, "rewind") === "mark") this.#show({ ...picker, chosen: true });
    else if (windowKey(key, "lists") === "close") this.#show(undefined);
  }

  #whatKey(key: KeyEvent, picker: RewindPicker, place: RewindPlace): void {
    const what = windowKey(key, "rewind");
    if (windowKey(key, "lists") === "close") this.#show({ ...picker, chosen: false });
    else if (what === "files") void this.#goBack(picker, place, "files");
    // A checkpoint lies within a turn.
    else if (what && what !== "mark" && place.kind === "message") void this.#goBack(picker, place, what);
  }

  async #goBack(picker: RewindPicker, place: RewindPlace, what: RewindTarget): Promise<void> {
    const { link, store } = this.#parts;
    const sessionId = store.get().session?.sessionId;
    if (sessionId === undefined) return;
    this.#show({ ...picker, working: true });
    try {
      const { text } = await link.call("session/rewind", { sessionId, messageId: place.id, what });
      this.#giveBack(sessionId, place);
      const unsaid = unsaidLines(text, store.get());
      if (unsaid !== "") this.#say("info", unsaid);
    } catch (error) {
      this.#say("error", `It could not go back: ${wordsOf(error)}`);
    } finally {
      if (store.get().overlay?.kind === "rewind") this.#show(undefined);
    }
  }

  /** The words of a message that is set aside, to be sent again in another form. */
  #giveBack(sessionId: string, { id, text }: RewindPlace): void {
    const { store } = this.#parts;
    const { session, composer } = store.get();
    if (session?.sessionId !== sessionId || text.trim() === "") return;
    // The answer is in words; that it went back is in the facts, which come before it.
    if (session.undo.messages.some(({ messageId }) => messageId === id)) return;
    store.dispatch({ type: "composerChanged", composer: withTextBefore(composer, text) });
  }

  #show(overlay: RewindPicker | undefined): void {
    this.#parts.store.dispatch({ type: "overlayShown", overlay });
  }

  #say(severity: "info" | "error", text: string): void {
    this.#parts.store.dispatch({ type: "noted", note: { severity, text } });
  }
}
