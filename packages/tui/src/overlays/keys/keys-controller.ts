import { errorText } from "@harness/client";
import type { WindowHost } from "../../client/window-host.ts";
import { type InputEvent, type KeyEvent, TextBuffer } from "../../input/index.ts";
import { keyLabel, keyName } from "../../keymap/key-name.ts";
import { keyTables } from "../../keymap/key-tables.ts";
import { type Action, Keymap } from "../../keymap/keymap.ts";
import { keyListKeys } from "../../keymap/overlay-keys.ts";
import { readKey } from "../../keymap/read-key.ts";
import type { KeyScope } from "../../keymap/scope.ts";
import { listKeys } from "../../keymap/shared-keys.ts";
import { listMoved } from "../../widgets/list-moves.ts";
import { labelOf, shownActions } from "./shown-actions.ts";
import { type KeyList, keyList } from "./state.ts";

/** The user's keys: reads them, shows all keys with their effects, and changes them. */
export class KeysController {
  readonly #host: WindowHost;
  /** The last message about the file, which is not repeated while the file is read again. */
  #told = "";

  constructor(host: WindowHost) {
    this.#host = host;
  }

  /**
   * Reads the user's keys, at the start and whenever they have changed. Never rejects: without an answer the defaults
   * apply.
   */
  async load(): Promise<void> {
    const { store } = this.#host;
    const read = await this.#read();
    if (!read) return;
    const [ofFile] = read.problems;
    const [ofKeys] = store.get().keymap.problems ?? [];
    const problem = ofFile ?? (ofKeys === undefined ? "" : `Your keys (${read.path}): ${ofKeys}`);
    if (problem !== "" && problem !== this.#told) store.note("warning", `${problem} /keys shows them.`);
    this.#told = problem;
  }

  async open(): Promise<void> {
    const { store } = this.#host;
    const keymap = store.get().keymap;
    this.#show({
      kind: "keys",
      keymap,
      problems: [],
      filter: "",
      selected: 0,
      pressing: undefined,
      message: undefined,
    });
    // The file may have been edited by hand.
    await this.#read();
  }

  /** While waiting for a key, any key counts; after one that can begin a chord, Enter takes it alone. */
  readonly capture: KeyScope = (event) => {
    const list = keyList.of(this.#host.store.get());
    if (!list?.pressing || event.type !== "key") return false;
    const { action, first } = list.pressing;
    const key = keyName(event);
    this.#show({ ...list, pressing: undefined });
    if (key === "escape" && (first !== undefined || action !== "anywhere.escape")) return true;
    const read = readKey(first === undefined ? key : key === "enter" ? first : `${first} ${key}`);
    if ("problem" in read) this.#say(read.problem);
    else if (first === undefined && beginsChord(read.key))
      this.#show({ ...list, pressing: { ...list.pressing, first: read.key } });
    else this.#take(list, list.pressing, read.key);
    return true;
  };

  readonly take: KeyScope = (event) => {
    const list = keyList.of(this.#host.store.get());
    if (!list) return false;
    if (event.type === "key") this.#key(event, list);
    else if (event.type === "paste") this.#filter(list, event);
    return true;
  };

  #take({ keymap }: KeyList, { action, adds }: NonNullable<KeyList["pressing"]>, key: string): void {
    const current = keymap.actions.find((each) => each.action === action);
    if (current) void this.#set(current, adds ? [...new Set([...current.keys, key])] : [key]);
  }

  #key(key: KeyEvent, list: KeyList): void {
    if (this.#host.lines.keepsOpen(TextBuffer.of(list.filter), key)) return;
    const shown = shownActions(list);
    const isTyped = key.text !== "";
    const moved = isTyped ? undefined : listMoved(key, list.selected, shown.length);
    const marked = shown[list.selected];
    const id = isTyped ? undefined : keyListKeys.idOf(key);
    if (moved !== undefined) this.#show({ ...list, selected: moved });
    else if (listKeys.idOf(key) === "close") this.#show(list.filter === "" ? undefined : { ...list, filter: "" });
    else if (id === undefined || (id === "reset" && list.filter !== "")) this.#filter(list, key);
    else if (!marked) return;
    else if (id === "change" || id === "add")
      this.#show({ ...list, message: undefined, pressing: { action: marked.action, adds: id === "add" } });
    else if (id === "clear") void this.#set(marked, []);
    else if (id === "reset") void this.#set(marked, undefined);
  }

  #filter(list: KeyList, event: InputEvent): void {
    const filter = this.#host.lines.edit(TextBuffer.of(list.filter), event)?.text;
    if (filter !== undefined && filter !== list.filter)
      this.#show({ ...list, filter, selected: 0, message: undefined });
  }

  async #set({ action, usual }: Action, keys: readonly string[] | undefined): Promise<void> {
    try {
      const isUsual = keys === undefined || keys.join() === usual.join();
      const saved = await this.#host.server.call("keys/set", { action, keys: isUsual ? null : [...keys] });
      this.#use(saved.keys, saved.problems);
      const now = this.#host.store.get().keymap.keysOf(action);
      this.#say(`${action}: ${labelOf({ keys: now })}`);
    } catch (error) {
      this.#say(`${keys?.map(keyLabel).join(", ") ?? action} could not be saved: ${errorText(error)}`);
    }
  }

  async #read(): Promise<{ path: string; problems: readonly string[] } | undefined> {
    const read = await this.#host.server.call("keys/get", {}).catch(() => undefined);
    if (read) this.#use(read.keys, read.problems);
    return read;
  }

  #use(keys: Readonly<Record<string, readonly string[]>>, problems: readonly string[]): void {
    const { store } = this.#host;
    const keymap = new Keymap(keyTables, keys);
    store.set({ keymap });
    const list = keyList.of(store.get());
    if (list) this.#show({ ...list, keymap, problems });
  }

  #say(text: string): void {
    const list = keyList.of(this.#host.store.get());
    if (list) this.#show({ ...list, message: text });
  }

  #show(overlay: KeyList | undefined): void {
    this.#host.store.set({ overlay });
  }
}

/** A key with Ctrl, Alt or Super can be the first of two; a chord is complete already. */
function beginsChord(key: string): boolean {
  return /^(?:ctrl|alt|meta)\+\S+$/.test(key);
}
