import { errorText } from "@harness/client";
import type { RewindTarget } from "@harness/protocol";
import type { WindowHost } from "../../client/window-host.ts";
import { moveToInput, typedText } from "../../dialogs/begun-message.ts";
import type { InputEvent, KeyEvent } from "../../input/index.ts";
import { rewindKeys } from "../../keymap/overlay-keys.ts";
import type { KeyScope } from "../../keymap/scope.ts";
import { listKeys } from "../../keymap/shared-keys.ts";
import { unshownLines } from "../../session/unshown-lines.ts";
import { withTextBefore } from "../../state/composer.ts";
import { listMoved } from "../../widgets/list-moves.ts";
import { rewindPlaces } from "./rewind-places.ts";
import { type RewindPicker, type RewindPoint, rewindPicker, rewindTargets } from "./state.ts";

/** A second press within this time opens the list. */
const AGAIN_MS = 2000;

/** Rewinds to before a user message: lists the messages, asks what to restore, puts the text back into the input. */
export class RewindController {
  readonly #host: WindowHost;

  #stopDisarming: (() => void) | undefined;

  constructor(host: WindowHost) {
    this.#host = host;
  }

  /** Lets the next press of the key open the list, unless there is nothing to go back to. */
  arm(): void {
    const { store, clock } = this.#host;
    const { session, reading } = store.get();
    this.disarm();
    if (!session || reading || rewindPlaces(session).length === 0) return;
    store.set({ rewindArmed: true });
    this.#stopDisarming = clock.after(AGAIN_MS, () => this.disarm());
  }

  /** Another key was pressed: the next press counts as the first again. */
  disarm(): void {
    this.#stopDisarming?.();
    this.#stopDisarming = undefined;
    const { store } = this.#host;
    if (store.get().rewindArmed) store.set({ rewindArmed: false });
  }

  open(): void {
    this.disarm();
    const { session, reading } = this.#host.store.get();
    const places = session && !reading ? rewindPlaces(session) : [];
    if (places.length === 0)
      this.#host.store.note("info", "There is nothing to rewind to: this session has no messages yet.");
    else this.#show({ kind: "rewind", places, selected: 0, chosen: false, working: false });
  }

  readonly take: KeyScope = (event) => {
    const picker = rewindPicker.of(this.#host.store.get());
    if (!picker) return false;
    const place = picker.places[picker.selected];
    if (picker.working || !place) return true;
    if (!picker.chosen && this.#goesOn(event)) return true;
    if (event.type !== "key") return true;
    if (picker.chosen) this.#targetKey(event, picker, place);
    else this.#listKey(event, picker);
    return true;
  };

  /** Text is a message, and not meant for the list: it closes, and the text goes into the input. */
  #goesOn(event: InputEvent): boolean {
    const text = typedText(event);
    const isOfList = rewindKeys.idOf(event) === "mark" || listKeys.idOf(event) !== undefined;
    if (text === undefined || text.trim() === "" || isOfList) return false;
    this.#show(undefined);
    moveToInput(this.#host.store, { text, before: undefined }, event);
    return true;
  }

  #listKey(key: KeyEvent, picker: RewindPicker): void {
    const moved = listMoved(key, picker.selected, picker.places.length);
    if (moved !== undefined) this.#show({ ...picker, selected: moved });
    else if (rewindKeys.idOf(key) === "mark") this.#show({ ...picker, chosen: true, target: 0 });
    else if (listKeys.idOf(key) === "close") this.#show(undefined);
  }

  #targetKey(key: KeyEvent, picker: RewindPicker, point: RewindPoint): void {
    const { target = 0 } = picker;
    const targets = rewindTargets(point);
    const id = rewindKeys.idOf(key);
    const what = id === "mark" ? targets[target] : targets.find((each) => each === id);
    const moved = listMoved(key, target, targets.length);
    if (listKeys.idOf(key) === "close") this.#show({ ...picker, chosen: false });
    else if (what) void this.#rewind(picker, point, what);
    else if (moved !== undefined) this.#show({ ...picker, target: moved });
  }

  async #rewind(picker: RewindPicker, point: RewindPoint, what: RewindTarget): Promise<void> {
    const { server, store } = this.#host;
    const sessionId = store.get().session?.sessionId;
    if (sessionId === undefined) return;
    this.#show({ ...picker, working: true });
    try {
      const { text } = await server.call("session/rewind", { sessionId, messageId: point.id, what });
      this.#restoreText(sessionId, point);
      const unshown = unshownLines(text, store.get());
      if (unshown !== "") this.#host.store.note("info", unshown);
    } catch (error) {
      this.#host.store.note("error", `The rewind failed: ${errorText(error)}`);
    } finally {
      if (store.get().overlay?.kind === "rewind") this.#show(undefined);
    }
  }

  /** Puts the text of a rewound message into the input, to be edited and sent again. */
  #restoreText(sessionId: string, { id, text }: RewindPoint): void {
    const { store } = this.#host;
    const { session, composer } = store.get();
    if (session?.sessionId !== sessionId || text.trim() === "") return;
    // Only the facts, which arrive before the answer, say whether the message was rewound.
    if (session.undo.messages.some(({ messageId }) => messageId === id)) return;
    store.set({ composer: withTextBefore(composer, text) });
  }

  #show(overlay: RewindPicker | undefined): void {
    this.#host.store.set({ overlay });
  }
}
