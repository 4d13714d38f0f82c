import { keyLabel } from "../../keymap/key-name.ts";
import type { Action } from "../../keymap/keymap.ts";
import type { KeyList } from "./state.ts";

/** The actions that match the filter: by place, key, name or purpose. */
export function shownActions({ keymap, filter }: Pick<KeyList, "keymap" | "filter">): readonly Action[] {
  const wanted = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return keymap.actions.filter((action) => {
    const text = [action.where, action.action, action.doc, labelOf(action)].join(" ").toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** The keys of an action, as people write them. */
export function labelOf({ keys }: Pick<Action, "keys">): string {
  return keys.length === 0 ? "no key" : keys.map(keyLabel).join(", ");
}

export function isChanged({ keys, usual }: Action): boolean {
  return keys.join() !== usual.join();
}
