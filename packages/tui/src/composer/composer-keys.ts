import { type CommandRunner, readCommand } from "../app/command-runner.ts";
import { type BindingId, bindingFor, type InputEvent, type KeyEvent } from "../input/index.ts";
import { windowKey } from "../keymap/window-keys.ts";
import { within } from "../screens/history/state.ts";
import type { MessageDesk } from "../session/message-controller.ts";
import type { SessionDesk } from "../session/session-controller.ts";
import {
  type ComposerState,
  completed,
  deletedBack,
  edited,
  messageOf,
  pasted,
  putAway,
  searchEnded,
  searched,
} from "../state/composer.ts";
import type { Store } from "../state/store.ts";
import type { CompletionDesk } from "./completion.ts";
import { composerEdits } from "./composer-edits.ts";
import { COMPOSER_MARGIN } from "./composer-rows.ts";

export type ChatKeysParts = {
  store: Store;
  sessions: Pick<SessionDesk, "open">;
  messages: Pick<MessageDesk, "send" | "sendNext" | "unqueue">;
  completion: Pick<CompletionDesk, "follow">;
  run: CommandRunner;
  say(text: string): void;
};

const READING_ONLY =
  "Not sent: this session is open elsewhere and can only be read here. Close it there and open it again with Ctrl+G and Enter, or start another one with /new.";

/** The keys of Home and Chat: the composer, and Home's list while nothing is typed. */
export class ChatKeys {
  readonly #parts: ChatKeysParts;

  constructor(parts: ChatKeysParts) {
    this.#parts = parts;
  }

  /** True when the event meant something here. */
  key(event: InputEvent): boolean {
    const { composer } = this.#parts.store.get();
    if (event.type === "paste") {
      this.#set(pasted(searchEnded(composer, { take: true }), event.text));
      if (event.cut) this.#parts.say("The paste was longer than 4 MiB; the rest was left out.");
      return true;
    }
    if (event.type !== "key") return false;
    if (composer.search && this.#searchKey(event, composer)) return true;
    return this.#homeKey(event) || this.#windowKey(event) || this.#composerKey(event);
  }

  /** Esc of a completion or a search. */
  escape(): boolean {
    const { composer } = this.#parts.store.get();
    if (composer.search) this.#set(searchEnded(composer, { take: false }));
    else if (composer.completion) this.#set({ ...composer, completion: undefined, dismissed: composer.buffer.text });
    else return false;
    return true;
  }

  /** Empties the input; what stood in it can be had back with ↑. True when there was something. */
  clear(): boolean {
    const { composer } = this.#parts.store.get();
    if (composer.buffer.isEmpty) return false;
    this.#set(putAway(composer));
    return true;
  }

  #searchKey(event: KeyEvent, composer: ComposerState): boolean {
    const { query, match } = composer.search ?? { query: "", match: undefined };
    const binding = bindingFor(event, ["composer"])?.id;
    if (event.text !== "") this.#set(searched(composer, query + event.text));
    else if (binding === "historySearch") this.#set(searched(composer, query, match));
    else if (binding === "deleteBack") this.#set(searched(composer, query.slice(0, -1)));
    else {
      this.#set(searchEnded(composer, { take: true }));
      return binding === "submit" || binding === "complete";
    }
    return true;
  }

  #homeKey(event: KeyEvent): boolean {
    const { store, sessions } = this.#parts;
    const { screen, composer, recent, homeSelected, session, cards } = store.get();
    if (screen !== "home" || !composer.buffer.isEmpty) return false;
    const action = windowKey(event, "home");
    const count = recent?.length ?? 0;
    if (action === "open") {
      const marked = homeSelected === undefined ? undefined : recent?.[homeSelected];
      if (marked) void sessions.open(marked.sessionId);
      else if (session || cards.length > 0) store.dispatch({ type: "screenShown", screen: "chat" });
      return true;
    }
    if (!action || count === 0) return false;
    const down = action === "markDown";
    // Above the first row is the input again.
    const at = homeSelected === undefined ? (down ? 0 : count - 1) : homeSelected + (down ? 1 : -1);
    store.dispatch({ type: "homeMarked", at: at < 0 ? undefined : within(at, count) });
    return true;
  }

  #windowKey(event: KeyEvent): boolean {
    const action = windowKey(event, "chat");
    if (action === "steer") this.#submit("steer");
    else if (action === "unqueue") void this.#parts.messages.unqueue();
    else return false;
    return true;
  }

  #composerKey(event: KeyEvent): boolean {
    const { store } = this.#parts;
    const { composer, size } = store.get();
    const id: BindingId | undefined = bindingFor(event, ["composer"])?.id;
    if (id === "submit") this.#enter();
    else if (id === "complete") this.#set(completed(composer));
    else if (id && composerEdits[id]) this.#set(composerEdits[id](composer, size.columns - COMPOSER_MARGIN));
    else if (event.text !== "") this.#set(edited(composer, composer.buffer.insert(event.text)));
    else return false;
    return true;
  }

  #enter(): void {
    const { composer } = this.#parts.store.get();
    if (composer.completion) {
      const { kind, items, selected } = composer.completion;
      // The whole name is typed: Enter means it, whatever might follow.
      if (kind === "command" && items[selected]?.label === composer.buffer.text) {
        this.#submit("queue");
        return;
      }
      const next = completed(composer);
      this.#set(next);
      // A command that needs nothing more runs at once; a file is only put in.
      const isWhole = kind === "argument" || (kind === "command" && !items[selected]?.insert.endsWith(" "));
      if (isWhole) this.#submit("queue");
      return;
    }
    if (composer.buffer.before.endsWith("\\")) {
      const { buffer } = deletedBack(composer);
      this.#set(edited(composer, buffer.insert("\n")));
      return;
    }
    this.#submit("queue");
  }

  #submit(delivery: "queue" | "steer"): void {
    const { store, messages, run, say } = this.#parts;
    const { composer, reading, screen } = store.get();
    const text = messageOf(composer);
    if (text.trim() === "") {
      if (composer.buffer.isEmpty && screen === "chat") void messages.sendNext();
      return;
    }
    const command = readCommand(text);
    if (!command && reading) {
      say(READING_ONLY);
      return;
    }
    this.#set(putAway(composer));
    if (command) {
      store.dispatch({ type: "commandGiven" });
      void run(command);
    } else messages.send(text, delivery);
  }

  #set(next: ComposerState): void {
    const { store, completion } = this.#parts;
    const composer = completion.follow(next);
    if (composer !== store.get().composer) store.dispatch({ type: "composerChanged", composer });
    if (store.get().homeSelected !== undefined && !composer.buffer.isEmpty)
      store.dispatch({ type: "homeMarked", at: undefined });
  }
}
