import type { InputEvent } from "../input/index.ts";
import { keyName } from "./key-name.ts";
import { onLatinKey } from "./keyboard-layouts.ts";

/**
 * The keys of one place. A key is written `ctrl+alt+shift+meta+name`, in this order, with the names of
 * `KeyEvent`. Ctrl+H, Ctrl+I, Ctrl+M and Ctrl+[ are Backspace, Tab, Enter and Escape on most terminals and cannot be
 * bound. Two keys after each other (a chord) are written with a blank between them: "ctrl+x e".
 */
export type KeyRow = {
  readonly id: string;
  readonly keys: readonly string[];
  readonly doc: string;
  /** The purpose in a word or two, for the row that shows how a chord can continue. */
  readonly hint?: string;
};

/**
 * Help, docs and the key names in sentences come from these tables (`key-tables.ts` lists them); the keyboard looks
 * keys up in them.
 */
export type KeyTable<Id extends string = string, Where extends string = string> = {
  /** The place, as help names it. */
  readonly where: Where;
  readonly rows: readonly (KeyRow & { readonly id: Id })[];
  /** The id of the row with this key; undefined for other keys and other events. */
  idOf(event: InputEvent): Id | undefined;
};

export function keyTable<const Id extends string, const Where extends string>(
  where: Where,
  rows: readonly (KeyRow & { readonly id: Id })[],
): KeyTable<Id, Where> {
  const ids = new Map(rows.flatMap(({ id, keys }) => keys.map((key) => [key, id])));
  const own = new Map(rows.map(({ id }) => [id as string, id]));
  return {
    where,
    rows,
    idOf(event) {
      if (event.type !== "key") return undefined;
      // Tables of one place share its keys, so the id may belong to another table.
      const idOfName = (name: string) => (event.keymap ? own.get(event.keymap.idOf(where, name) ?? "") : ids.get(name));
      const latin = onLatinKey(event.name);
      return (
        idOfName(keyName(event)) ?? (latin === event.name ? undefined : idOfName(keyName({ ...event, name: latin })))
      );
    },
  };
}
