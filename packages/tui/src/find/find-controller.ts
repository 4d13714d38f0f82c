import { itemText, occurrences } from "@harness/client/actions";
import type { TranscriptItem } from "@harness/protocol";
import type { WindowHost } from "../client/window-host.ts";
import { type InputEvent, type KeyEvent, TextBuffer } from "../input/index.ts";
import { onLatinKey } from "../keymap/keyboard-layouts.ts";
import type { KeyScope } from "../keymap/scope.ts";
import { transcriptKeys } from "../keymap/shared-keys.ts";
import { findKeys, windowKeys } from "../keymap/window-keys.ts";
import type { TranscriptView } from "../render/transcript/index.ts";
import { settingsSlice, settingValue } from "../screens/settings/state.ts";
import { shownAgent } from "../state/agents.ts";
import type { FindState } from "../state/find.ts";
import type { VirtualRows } from "../text/rows.ts";
import { textOfRow } from "../text/style.ts";
import { vimLineEscape, vimLineKey } from "../vim/vim-line.ts";
import { lineEdited } from "../widgets/line-edits.ts";

/** After this long, a search yields to other work. */
const SLICE_MS = 6;
const NOTHING: FindState = { query: TextBuffer.empty, vim: undefined, typing: true, total: 0, at: 0, searching: false };

type Host = Pick<WindowHost, "store" | "clock">;

/** The search's access to the transcript in view. */
export type SearchedTranscript = Pick<TranscriptView, "reveal" | "mark" | "onceShown">;

/** Searches the transcript in view, including folded text, from its end up, and moves from match to match. */
export class FindController {
  readonly #host: Host;
  readonly #transcript: SearchedTranscript;
  /** The matching items, newest first: their positions, and their match counts. */
  #found: { index: number; count: number }[] = [];
  #items: readonly TranscriptItem[] = [];
  /** The item that is searched next. */
  #next = -1;
  /** The item whose match is shown first; undefined: the newest match. */
  #wanted: number | undefined;
  #stop: (() => void) | undefined;

  constructor(host: Host, transcript: SearchedTranscript) {
    this.#host = host;
    this.#transcript = transcript;
  }

  /** Opens the search, for these words if given. */
  open(words = ""): void {
    this.#set(NOTHING);
    if (words !== "") this.#search(TextBuffer.of(words), { typing: false });
  }

  /** Opens the search for these words, at their first match in an item. */
  openAt(words: string, index: number): void {
    this.#set(NOTHING);
    this.#search(TextBuffer.of(words), { typing: false, wanted: index });
  }

  readonly take: KeyScope = (event) => {
    const { find, screen, overlay } = this.#host.store.get();
    if (!find || screen !== "chat" || overlay) return false;
    if (event.type !== "key" && event.type !== "paste") return false;
    if (event.type === "paste") this.#edit(event, find);
    else if (windowKeys.idOf(event) === "escape") this.#escape(find);
    else if (isForTranscript(event)) return false;
    else if (!find.typing) this.#browse(event, find);
    else if (event.name === "enter" || (event.text === "" && findKeys.idOf(event))) this.#typingKey(event, find);
    else this.#edit(event, find);
    // The input is not in view: no key may change it.
    return true;
  };

  #edit(event: InputEvent, find: FindState): void {
    const line = { buffer: find.query, vim: find.vim };
    const next = this.#isVim ? vimLineKey(line, event) : undefined;
    const query = next?.buffer ?? lineEdited(find.query, event);
    if (!query) return;
    const vim = next?.vim ?? find.vim;
    if (query.text === find.query.text) this.#set({ ...find, query, vim });
    else this.#search(query, { typing: find.typing, vim });
  }

  get #isVim(): boolean {
    const { settings } = settingsSlice.of(this.#host.store.get());
    return settingValue(settings, "editor_mode") === "vim";
  }

  #escape(find: FindState): void {
    const line = { buffer: find.query, vim: find.vim };
    const next = this.#isVim && find.typing ? vimLineEscape(line) : undefined;
    if (next) this.#set({ ...find, query: next.buffer, vim: next.vim });
    else this.#close();
  }

  #typingKey(key: KeyEvent, find: FindState): void {
    const id = findKeys.idOf(key);
    if (key.name === "enter" && find.query.isEmpty) this.#close();
    else if (key.name === "enter") this.#set({ ...find, typing: false });
    else if (id === "older") this.#go(find, 1);
    else if (id === "newer") this.#go(find, -1);
    else if (find.query.isEmpty) this.#close();
    else this.#edit(key, find);
  }

  #browse(key: KeyEvent, find: FindState): void {
    const id = findKeys.idOf(key);
    if (onLatinKey(key.text) === "N" || id === "newer") this.#go(find, -1);
    else if (id === "older") this.#go(find, 1);
    else if (id === "edit") this.#set({ ...find, typing: true });
  }

  #search(query: TextBuffer, how: Pick<FindState, "typing"> & { vim?: FindState["vim"]; wanted?: number }): void {
    const { typing, vim, wanted } = how;
    this.#stop?.();
    this.#wanted = wanted;
    this.#items = shownAgent(this.#host.store.get())?.items ?? [];
    this.#found = [];
    this.#next = this.#items.length - 1;
    this.#transcript.mark(query.text.toLowerCase());
    this.#set({ query, vim, typing, total: 0, at: 0, searching: !query.isEmpty });
    if (!query.isEmpty) this.#continue();
  }

  /** Searches for some milliseconds, and continues later if necessary. */
  #continue(): void {
    const { clock, store } = this.#host;
    const { find } = store.get();
    if (!find) return;
    const wanted = find.query.text.toLowerCase();
    const until = clock.now() + SLICE_MS;
    let { total } = find;
    for (; this.#next >= 0 && clock.now() < until; this.#next--) {
      const item = this.#items[this.#next];
      const count = item ? occurrences(itemText(item), wanted).length : 0;
      if (count > 0) this.#found.push({ index: this.#next, count });
      total += count;
    }
    const searching = this.#next >= 0;
    this.#stop = searching ? clock.after(0, () => this.#continue()) : undefined;
    const now = { ...find, total, searching };
    if (find.at > 0) this.#set(now);
    else if (this.#wanted !== undefined) this.#goToWanted(now, this.#wanted);
    else if (total > 0) this.#go(now, 1);
    else this.#set(now);
  }

  /** Goes to the first match of an item once the search has come to it. */
  #goToWanted(find: FindState, index: number): void {
    if (this.#next >= index) {
      this.#set(find);
      return;
    }
    this.#wanted = undefined;
    const until = this.#found.filter((each) => each.index >= index).reduce((sum, { count }) => sum + count, 0);
    // The session may have been opened just now, and is drawn with the next frame.
    if (until > 0) this.#transcript.onceShown(this.#items, () => this.#show(find.query.text.toLowerCase(), until));
    this.#set({ ...find, at: until });
  }

  /** One match up (1) or down (-1), wrapping around. */
  #go(find: FindState, by: 1 | -1): void {
    if (find.total === 0) return;
    const at = ((find.at - 1 + by + find.total) % find.total) + 1;
    this.#set({ ...find, at });
    this.#show(find.query.text.toLowerCase(), at);
  }

  /** Scrolls to a match, counted from the newest one. */
  #show(wanted: string, at: number): void {
    let rest = at - 1;
    for (const { index, count } of this.#found) {
      if (rest < count) {
        const row = this.#transcript.reveal(index, (rows) => rowOf(rows, wanted, rest));
        this.#transcript.mark(wanted, row);
        return;
      }
      rest -= count;
    }
  }

  #close(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#found = [];
    this.#items = [];
    this.#transcript.mark("");
    this.#set(undefined);
  }

  #set(find: FindState | undefined): void {
    this.#host.store.set({ find });
  }
}

/** Scrolling, folding and chords work as usual. */
function isForTranscript(key: KeyEvent): boolean {
  return transcriptKeys.idOf(key) !== undefined || windowKeys.idOf(key) === "fold" || key.name.includes(" ");
}

/** The row of an item with this occurrence, counted from its end; the first one if rows contain fewer than the text. */
function rowOf(rows: VirtualRows, wanted: string, back: number): number | undefined {
  let best: number | undefined;
  let rest = back;
  for (let at = rows.height - 1; at >= 0; at--) {
    const each = rows.row(at);
    const count = each ? occurrences(textOfRow(each), wanted).length : 0;
    if (count === 0) continue;
    best = at;
    if (rest < count) return at;
    rest -= count;
  }
  return best;
}
