import type { SettingKey } from "@harness/protocol";
import type { LeftRow } from "../leftover.ts";

/** The meaning of another program's value: a value of a setting here, or why there is none. */
export type SettingReading = { readonly key: SettingKey; readonly value: unknown } | { readonly why: string };

/** Empty if there is nothing to say: the value is empty, or one that the person never chose. */
export type SettingMeaning = (found: unknown, all: LeftRow) => readonly SettingReading[];

/** The settings of another program by their name there. */
export type SettingTable = Readonly<Record<string, SettingMeaning>>;

/** The same here. */
export function same(key: SettingKey): SettingMeaning {
  return (found) => [{ key, value: found }];
}

/** The same here, unless it is the value that the other program writes by itself. */
export function unless(unchosen: unknown, key: SettingKey, value = (found: unknown) => found): SettingMeaning {
  return (found) => (JSON.stringify(found) === JSON.stringify(unchosen) ? [] : [{ key, value: value(found) }]);
}

export function none(why: string): SettingMeaning {
  return () => [{ why }];
}

/** A number, where it is one. */
export function plus(more: number): (found: unknown) => unknown {
  return (found) => (typeof found === "number" ? found + more : found);
}
