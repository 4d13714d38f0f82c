import type { SettingKey } from "@harness/protocol";
import type { LeftRow } from "../leftover.ts";

/** The equivalent of another program's value: a value of a setting here, or why there is none. */
export type SettingReading = { readonly key: SettingKey; readonly value: unknown } | { readonly why: string };

/** Empty if nothing need be said: the value is empty, or a default that the user never chose. */
export type SettingMeaning = (found: unknown, all: LeftRow) => readonly SettingReading[];

/** The settings of another program, by their names there. */
export type SettingTable = Readonly<Record<string, SettingMeaning>>;

/** A setting with the same meaning here. */
export function same(key: SettingKey): SettingMeaning {
  return (found) => [{ key, value: found }];
}

/** The same, unless the value is the other program's default. */
export function unless(unchosen: unknown, key: SettingKey, value = (found: unknown) => found): SettingMeaning {
  return (found) => (JSON.stringify(found) === JSON.stringify(unchosen) ? [] : [{ key, value: value(found) }]);
}

export function none(why: string): SettingMeaning {
  return () => [{ why }];
}

/** A number; undefined for anything else. */
export function plus(more: number): (found: unknown) => unknown {
  return (found) => (typeof found === "number" ? found + more : found);
}
