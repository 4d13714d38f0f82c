import type { EditedText } from "@harness/client/actions";
import { openBackticks } from "@harness/client/actions";
import { readSlashLine, type SlashLine } from "@harness/client/commands";
import { ROOT_AGENT, type SettingKey } from "@harness/protocol";
import type { PictureController } from "../attachments/picture-controller.ts";
import { pictureScope } from "../attachments/picture-scope.ts";
import { type KeyEvent, TextBuffer } from "../input/index.ts";
import type { KeySentence } from "../keymap/key-labels.ts";
import type { KeyScope } from "../keymap/scope.ts";
import { inputKeys } from "../keymap/shared-keys.ts";
import { messageKeys, windowKeys } from "../keymap/window-keys.ts";
import type { MessageController } from "../session/message-controller.ts";
import { attachments, hasPictures } from "../state/attachments.ts";
import {
  browsed,
  type ComposerState,
  cleared,
  complete,
  completionMoved,
  deletedBack,
  messageOf,
  pasteText,
  searchBegun,
  searchEnded,
  searched,
  searchMoved,
  typeText,
  wiped,
  withBuffer,
  withEdited,
} from "../state/composer.ts";
import { stashed } from "../state/removed-text.ts";
import { isBusy } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";
import { vimEscape, vimKey } from "../vim/vim-key.ts";
import type { CompletionController } from "./completion.ts";
import { composerEdits } from "./composer-edits.ts";
import { COMPOSER_MARGIN } from "./composer-rows.ts";
import type { InputHistory } from "./input-history.ts";
import { pasteNotes } from "./paste-notes.ts";
import { readShell } from "./read-shell.ts";

type ComposerDeps = {
  store: Store;
  messages: MessageController;
  completion: CompletionController;
  pictures: PictureController;
  history: InputHistory;
  window: {
    /** Never rejects. */
    run(command: SlashLine): Promise<void>;
    showKeys(): void;
    /** Lets the user edit a text in their own editor. */
    openEditor(text: string): Promise<EditedText>;
    /** The value of a setting; undefined until the settings have been read. */
    setting(key: SettingKey): unknown;
  };
};

const NO_COMMAND = "There is no command after the `!`. Example: !npm test.";
const readingOnly: KeySentence = (keys) => {
  const where = keys.of("anywhere.history") ?? "/history";
  return `Not sent: this session is open elsewhere and read-only here. Close it there and reopen it with ${where}, or start a new one with /new.`;
};

/** The input of Home and Chat. */
export class ComposerScope {
  readonly #deps: ComposerDeps;
  readonly #takePicture: KeyScope;

  constructor(deps: ComposerDeps) {
    this.#deps = deps;
    this.#takePicture = pictureScope(deps.store, deps.pictures);
  }

  readonly take: KeyScope = (event) => {
    const composer = this.#composer;
    if (this.#takePicture(event)) return true;
    if (event.type === "paste") {
      const { search } = composer;
      this.#set(search ? searched(composer, search.query + event.text) : pasteText(composer, event.text));
      for (const note of pasteNotes(event)) this.#deps.store.note("warning", note);
      return true;
    }
    if (event.type !== "key") return false;
    return this.#vimKey(event) || this.#messageKey(event) || this.#inputKey(event);
  };

  /** Keys of the completion menu and the search, which precede all other keys of the conversation. */
  readonly menu: KeyScope = (event) => {
    const composer = this.#composer;
    if (event.type !== "key") return false;
    if (windowKeys.idOf(event) === "escape") return this.#closeMenu(composer) || this.#leaveInsert(composer);
    if (composer.search) return this.#searchKey(event, composer);
    if (!composer.completion || composer.completion.items.length === 0) return false;
    const id = inputKeys.idOf(event);
    if (id === "up") this.#set(completionMoved(composer, -1));
    else if (id === "down") this.#set(completionMoved(composer, 1));
    else if (id === "complete") this.#set(complete(composer));
    else if (id === "submit") this.#submitCompleted(composer, composer.completion);
    else return false;
    return true;
  };

  /** Empties the input, the text first, which Up restores, then its pictures. True: there was something. */
  clear(): boolean {
    const composer = this.#composer;
    if (composer.buffer.isEmpty) return this.#deps.pictures.clear() > 0;
    this.#set(wiped(composer));
    return true;
  }

  /** Escape in vim's normal mode leaves text alone: many press it twice. */
  get keepsText(): boolean {
    const { buffer, vim } = this.#composer;
    return this.#isVim && vim?.mode === "normal" && !buffer.isEmpty;
  }

  /** Sends the input, as Enter does. */
  submit(): void {
    this.#submit("enter");
  }

  deleteForward(): void {
    const composer = searchEnded(this.#composer, { take: true });
    this.#set(withBuffer(composer, composer.buffer.deleteForward()));
  }

  /** Lets the user edit a text in their own editor; it is in the input afterwards. */
  async edit(text: string): Promise<void> {
    const { store, window } = this.#deps;
    const edited = await window.openEditor(text);
    if ("problem" in edited) store.note("warning", edited.problem);
    else if (edited.text !== text) this.#set(withEdited(this.#composer, edited.text));
  }

  get #composer(): ComposerState {
    return this.#deps.store.get().composer;
  }

  #closeMenu(composer: ComposerState): boolean {
    if (composer.search) this.#set(searchEnded(composer, { take: false }));
    else if (composer.completion && composer.completion.items.length > 0)
      this.#set({ ...composer, completion: undefined, dismissed: composer.buffer.text });
    else return false;
    return true;
  }

  #submitCompleted(composer: ComposerState, { kind, items, selected }: NonNullable<ComposerState["completion"]>): void {
    const item = items[selected];
    // The complete name is typed: Enter runs or sends it, whatever else could complete it.
    const isName = item !== undefined && kind === "command" && item.label === composer.buffer.text;
    const isTyped = !item || isName || complete(composer).buffer.text.trimEnd() === composer.buffer.text.trimEnd();
    if (!isTyped) this.#set(complete(composer));
    // A command that needs no arguments runs at once; a file is only inserted.
    if (isTyped || (kind !== "file" && !item.needsMore)) this.#submit("enter");
  }

  #searchKey(event: KeyEvent, composer: ComposerState): boolean {
    const { query } = composer.search ?? { query: "" };
    const id = inputKeys.idOf(event);
    if (event.text !== "") this.#set(searched(composer, query + event.text));
    else if (id === "historySearch" || id === "historyForward" || id === "down") this.#set(searchMoved(composer, 1));
    else if (id === "historyBack" || id === "up") this.#set(searchMoved(composer, -1));
    else if (id === "deleteBack") this.#set(searched(composer, TextBuffer.of(query).deleteBack().text));
    else if (id === "deleteWordBack") this.#set(searched(composer, TextBuffer.of(query).deleteWordBack().text));
    else if (id === "deleteToLineStart") this.#set(searched(composer, ""));
    else {
      this.#set(searchEnded(composer, { take: true }));
      return id === "submit" || id === "complete";
    }
    return true;
  }

  get #isVim(): boolean {
    return this.#deps.window.setting("editor_mode") === "vim";
  }

  #vimKey(event: KeyEvent): boolean {
    const next = this.#isVim ? vimKey(this.#composer, event) : undefined;
    if (next) this.#set(next);
    return next !== undefined;
  }

  /** Escape in vim's insert mode. */
  #leaveInsert(composer: ComposerState): boolean {
    const next = this.#isVim ? vimEscape(composer) : undefined;
    if (next) this.#set(next);
    return next !== undefined;
  }

  #messageKey(event: KeyEvent): boolean {
    const action = messageKeys.idOf(event);
    const { store, messages } = this.#deps;
    const { composer } = store.get();
    if (action === "unqueue") void messages.unqueue();
    else if (action === "sendOther" && isBusy(store.get()) && !composer.buffer.isEmpty) this.#submit("other");
    else return inputKeys.idOf(event) === "up" && composer.buffer.isEmpty && !composer.browsing && this.#editWaiting();
    return true;
  }

  #inputKey(event: KeyEvent): boolean {
    const composer = this.#composer;
    const { store, window } = this.#deps;
    const { columns } = store.get().size;
    const id = inputKeys.idOf(event);
    const edit = id && composerEdits[id];
    if (id === "submit") this.#enter(composer);
    else if (id === "keySheet" && composer.buffer.isEmpty) window.showKeys();
    else if (id === "historySearch") this.#search(composer);
    else if (id === "editor") void this.edit(messageOf(composer));
    else if (id === "historyBack" && composer.sent.length === 0) this.#firstOfHistory();
    else if (edit) this.#set(edit(composer, columns - COMPOSER_MARGIN));
    else if (event.text !== "") this.#set(typeText(composer, event.text));
    else return id === "complete";
    return true;
  }

  #enter(composer: ComposerState): void {
    const { text, before, offset } = composer.buffer;
    const open = openBackticks(text);
    // On an empty last line Enter sends anyway: a single backtick may be a slip.
    const goesOn = open !== undefined && !(before === "" && offset === text.length);
    if (before.endsWith("\\")) this.#set(withBuffer(composer, deletedBack(composer).buffer.insert("\n")));
    else if (goesOn) {
      this.#set(withBuffer(composer, composer.buffer.insert("\n")));
      const again: KeySentence = (keys) =>
        keys.say("input.submit", (key) => `${open} is open: close it, or press ${key} again to send.`);
      this.#deps.store.note("info", again);
    } else this.#submit("enter");
  }

  /** In a window that was just opened, the earlier messages may still be loading. */
  #firstOfHistory(): void {
    void this.#deps.history.loading?.then(() => this.#set(browsed(this.#composer, -1)));
  }

  #search(composer: ComposerState): void {
    this.#set(searchBegun(composer));
    void this.#deps.history.widen();
  }

  /** Up in the empty input edits the newest waiting message. False: none is waiting. */
  #editWaiting(): boolean {
    const { store, messages } = this.#deps;
    const { session, agentInView, screen } = store.get();
    if (screen !== "chat" || agentInView !== ROOT_AGENT || !session?.queue.length) return false;
    void messages.unqueue();
    return true;
  }

  #delivery(key: "enter" | "other"): "queue" | "steer" {
    const isSwapped = this.#deps.window.setting("enter_while_running") === "queue";
    return (key === "enter") === isSwapped ? "queue" : "steer";
  }

  /** Sends the typed text; while the agent works, `key` decides when. */
  #submit(key: "enter" | "other"): void {
    const { store, messages, history, window } = this.#deps;
    const { composer, reading, screen } = store.get();
    const text = messageOf(composer);
    if (attachments.of(store.get()).loading > 0 && !readSlashLine(text.trim())) {
      void this.#deps.pictures.settled.then(() => this.#submit(key));
      return;
    }
    if (text.trim() === "" && !hasPictures(store.get())) {
      if (composer.buffer.isEmpty && screen === "chat") void messages.sendNext();
      return;
    }
    const command = readSlashLine(text.trim());
    const own = readShell(text);
    const problem = /^\s*!!?\s*$/.test(text)
      ? NO_COMMAND
      : !command && reading?.why === "elsewhere"
        ? readingOnly
        : undefined;
    if (problem !== undefined) {
      store.note("warning", problem);
      return;
    }
    if (!command && !own && messages.hold(text)) return;
    this.#set(command || own ? cleared(composer) : stashed(cleared(composer)));
    void history.add(text);
    if (command) {
      store.dispatch({ type: "commandGiven" });
      void window.run(command);
    } else if (own) void messages.runOwn(own);
    else messages.send(text, this.#delivery(key));
  }

  #set(next: ComposerState): void {
    const { store, completion } = this.#deps;
    const composer = completion.follow(next);
    if (composer !== store.get().composer) store.set({ composer });
  }
}
