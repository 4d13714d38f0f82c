import type { KeyEvent } from "../input/index.ts";
import { keyTable } from "../keymap/key-table.ts";
import type { Scope } from "../keymap/scope.ts";
import { inputKeys } from "../keymap/shared-keys.ts";
import type { MessageController } from "../session/message-controller.ts";
import {
  type ComposerState,
  cleared,
  completed,
  completionMoved,
  deletedBack,
  edited,
  messageOf,
  pasted,
  searchEnded,
  searched,
} from "../state/composer.ts";
import type { Store } from "../state/store.ts";
import type { CompletionController } from "./completion.ts";
import { composerEdits } from "./composer-edits.ts";
import { COMPOSER_MARGIN } from "./composer-rows.ts";
import { type GivenCommand, readCommand } from "./read-command.ts";
import { readShell } from "./read-shell.ts";

export const messageKeys = keyTable("chat", [
  { id: "steer", keys: ["alt+s"], doc: "Send now: the message joins the running turn before its next request" },
  { id: "unqueue", keys: ["alt+up"], doc: "Bring the newest queued message back into the input" },
]);

export type ComposerParts = {
  store: Store;
  messages: MessageController;
  completion: CompletionController;
  run(command: GivenCommand): Promise<void>;
};

const READING_ONLY =
  "Not sent: this session is open elsewhere and can only be read here. Close it there and open it again with Ctrl+G and Enter, or start another one with /new.";

/** The input of Home and Chat. */
export class ComposerScope {
  readonly #parts: ComposerParts;

  constructor(parts: ComposerParts) {
    this.#parts = parts;
  }

  readonly take: Scope = (event) => {
    const composer = this.#composer;
    if (event.type === "paste") {
      this.#set(pasted(searchEnded(composer, { take: true }), event.text));
      if (event.cut) this.#parts.store.note("warning", "The paste was longer than 4 MiB; the rest was left out.");
      return true;
    }
    if (event.type !== "key") return false;
    if (composer.search && this.#searchKey(event, composer)) return true;
    return this.#messageKey(event) || this.#inputKey(event);
  };

  /** Keys of the completion menu, and Escape of the search: they come before all other keys of the conversation. */
  readonly menu: Scope = (event) => {
    const composer = this.#composer;
    if (event.type !== "key") return false;
    if (event.name === "escape" && !event.alt) return this.#closeMenu(composer);
    if (!composer.completion) return false;
    const id = inputKeys.idOf(event);
    if (id === "up") this.#set(completionMoved(composer, -1));
    else if (id === "down") this.#set(completionMoved(composer, 1));
    else if (id === "complete") this.#set(completed(composer));
    else if (id === "submit") this.#submitCompleted(composer, composer.completion);
    else return false;
    return true;
  };

  /** Empties the input; Up brings the text back. True when there was some. */
  clear(): boolean {
    const composer = this.#composer;
    if (composer.buffer.isEmpty) return false;
    this.#set(cleared(composer));
    return true;
  }

  deleteForward(): void {
    const composer = searchEnded(this.#composer, { take: true });
    this.#set(edited(composer, composer.buffer.deleteForward()));
  }

  get #composer(): ComposerState {
    return this.#parts.store.get().composer;
  }

  #closeMenu(composer: ComposerState): boolean {
    if (composer.search) this.#set(searchEnded(composer, { take: false }));
    else if (composer.completion) this.#set({ ...composer, completion: undefined, dismissed: composer.buffer.text });
    else return false;
    return true;
  }

  #submitCompleted(composer: ComposerState, { kind, items, selected }: NonNullable<ComposerState["completion"]>): void {
    // The whole name is typed: Enter runs it, whatever else would complete it.
    const isTyped = kind === "command" && items[selected]?.label === composer.buffer.text;
    if (!isTyped) this.#set(completed(composer));
    // A command that needs nothing more runs at once; a file is only put in.
    const isWhole = kind === "argument" || (kind === "command" && !items[selected]?.insert.endsWith(" "));
    if (isTyped || isWhole) this.#submit("queue");
  }

  #searchKey(event: KeyEvent, composer: ComposerState): boolean {
    const { query, match } = composer.search ?? { query: "", match: undefined };
    const id = inputKeys.idOf(event);
    if (event.text !== "") this.#set(searched(composer, query + event.text));
    else if (id === "historySearch") this.#set(searched(composer, query, match));
    else if (id === "deleteBack") this.#set(searched(composer, query.slice(0, -1)));
    else {
      this.#set(searchEnded(composer, { take: true }));
      return id === "submit" || id === "complete";
    }
    return true;
  }

  #messageKey(event: KeyEvent): boolean {
    const action = messageKeys.idOf(event);
    if (action === "steer") this.#submit("steer");
    else if (action === "unqueue") void this.#parts.messages.unqueue();
    return action !== undefined;
  }

  #inputKey(event: KeyEvent): boolean {
    const composer = this.#composer;
    const { columns } = this.#parts.store.get().size;
    const id = inputKeys.idOf(event);
    const edit = id && composerEdits[id];
    if (id === "submit") this.#enter(composer);
    else if (edit) this.#set(edit(composer, columns - COMPOSER_MARGIN));
    else if (event.text !== "") this.#set(edited(composer, composer.buffer.insert(event.text)));
    else return id === "complete";
    return true;
  }

  #enter(composer: ComposerState): void {
    if (composer.buffer.before.endsWith("\\")) {
      const { buffer } = deletedBack(composer);
      this.#set(edited(composer, buffer.insert("\n")));
    } else this.#submit("queue");
  }

  #submit(delivery: "queue" | "steer"): void {
    const { store, messages, run } = this.#parts;
    const { composer, reading, screen } = store.get();
    const text = messageOf(composer);
    if (text.trim() === "") {
      if (composer.buffer.isEmpty && screen === "chat") void messages.sendNext();
      return;
    }
    const command = readCommand(text);
    const own = readShell(text);
    if (!command && reading) {
      store.note("warning", READING_ONLY);
      return;
    }
    this.#set(cleared(composer));
    if (command) {
      store.dispatch({ type: "commandGiven" });
      void run(command);
    } else if (own) void messages.runOwn(own);
    else messages.send(text, delivery);
  }

  #set(next: ComposerState): void {
    const { store, completion } = this.#parts;
    const composer = completion.follow(next);
    if (composer !== store.get().composer) store.set({ composer });
  }
}
