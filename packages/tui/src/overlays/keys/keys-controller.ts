import { errorText } from "../../client/server-errors.ts";
import type { WindowHost } from "../../client/window-host.ts";
import type { KeyEvent } from "../../input/index.ts";
import { keyLabel, keyName } from "../../keymap/key-name.ts";
import { type KeyTable, keyTable } from "../../keymap/key-table.ts";
import { type Action, Keymap } from "../../keymap/keymap.ts";
import { readKey } from "../../keymap/read-key.ts";
import type { Scope } from "../../keymap/scope.ts";
import { listKeys } from "../../keymap/shared-keys.ts";
import type { KeyList } from "../../state/overlay.ts";
import { listMoved } from "../../widgets/list-moves.ts";
import { labelOf, shownActions } from "./shown-actions.ts";

export const keyListKeys = keyTable("keys", [
  { id: "change", keys: ["enter"], doc: "Change the key of the marked action" },
  { id: "add", keys: ["tab"], doc: "Add a key" },
  { id: "clear", keys: ["delete"], doc: "Remove its keys" },
  { id: "reset", keys: ["backspace"], doc: "Restore its default keys (while the filter is empty)" },
]);

/** The person's keys: reads them, shows all keys with what they do, and changes them. */
export class KeysController {
  readonly #host: WindowHost;
  readonly #tables: readonly KeyTable[];
  /** What was said about the file last: it is not said again while it is read again. */
  #told = "";

  /** `tables`: every key of the window. */
  constructor(host: WindowHost, tables: readonly KeyTable[]) {
    this.#host = host;
    this.#tables = tables;
  }

  /** Reads the person's keys, at the start and whenever they have changed. Never rejects: without an answer keys mean what they mean by themselves. */
  async load(): Promise<void> {
    const { store } = this.#host;
    const read = await this.#read();
    if (!read) return;
    const [ofFile] = read.problems;
    const [ofKeys] = store.get().keymap?.problems ?? [];
    const problem = ofFile ?? (ofKeys === undefined ? "" : `Your keys (${read.path}): ${ofKeys}`);
    if (problem !== "" && problem !== this.#told) store.note("warning", `${problem} /keys shows them.`);
    this.#told = problem;
  }

  async open(): Promise<void> {
    const { store } = this.#host;
    const keymap = store.get().keymap ?? new Keymap(this.#tables);
    this.#show({ kind: "keys", keymap, problems: [], filter: "", selected: 0, pressing: undefined, said: undefined });
    // The file may have been edited by hand.
    await this.#read();
  }

  /** While a key is waited for, every key is the one. */
  readonly capture: Scope = (event) => {
    const { overlay } = this.#host.store.get();
    if (overlay?.kind !== "keys" || !overlay.pressing || event.type !== "key") return false;
    const { action, adds } = overlay.pressing;
    const key = keyName(event);
    this.#show({ ...overlay, pressing: undefined });
    const current = overlay.keymap.actions.find((each) => each.action === action);
    if (key === "escape" && action !== "anywhere.escape") return true;
    const read = readKey(key);
    if ("problem" in read) this.#say(read.problem);
    else if (current) void this.#set(current, adds ? [...new Set([...current.keys, read.key])] : [read.key]);
    return true;
  };

  readonly take: Scope = (event) => {
    const { overlay } = this.#host.store.get();
    if (overlay?.kind !== "keys") return false;
    if (event.type === "key") this.#key(event, overlay);
    return true;
  };

  #key(key: KeyEvent, list: KeyList): void {
    const shown = shownActions(list);
    const isTyped = key.text !== "";
    const moved = isTyped ? undefined : listMoved(key, list.selected, shown.length);
    const marked = shown[list.selected];
    const id = isTyped ? undefined : keyListKeys.idOf(key);
    if (moved !== undefined) this.#show({ ...list, selected: moved });
    else if (isTyped) this.#filter(list, list.filter + key.text);
    else if (listKeys.idOf(key) === "close") this.#show(list.filter === "" ? undefined : { ...list, filter: "" });
    else if (id === "reset" && list.filter !== "") this.#filter(list, list.filter.slice(0, -1));
    else if (!marked) return;
    else if (id === "change" || id === "add")
      this.#show({ ...list, said: undefined, pressing: { action: marked.action, adds: id === "add" } });
    else if (id === "clear") void this.#set(marked, []);
    else if (id === "reset") void this.#set(marked, undefined);
  }

  #filter(list: KeyList, filter: string): void {
    this.#show({ ...list, filter, selected: 0, said: undefined });
  }

  async #set({ action, usual }: Action, keys: readonly string[] | undefined): Promise<void> {
    try {
      const isUsual = keys === undefined || keys.join() === usual.join();
      const saved = await this.#host.server.call("keys/set", { action, keys: isUsual ? null : [...keys] });
      this.#use(saved.keys, saved.problems);
      const now = this.#host.store.get().keymap?.keysOf(action) ?? [];
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
    const keymap = new Keymap(this.#tables, keys);
    store.set({ keymap });
    const { overlay } = store.get();
    if (overlay?.kind === "keys") this.#show({ ...overlay, keymap, problems });
  }

  #say(said: string): void {
    const { overlay } = this.#host.store.get();
    if (overlay?.kind === "keys") this.#show({ ...overlay, said });
  }

  #show(overlay: KeyList | undefined): void {
    this.#host.store.set({ overlay });
  }
}
