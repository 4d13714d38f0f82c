// "@harness/tui/docs": the tables that pages are made of. Imports no component: it runs under plain Node.

import { commandUsage, knownCommands } from "./commands/known-commands.ts";
import { keyBindings } from "./keymap/input-keys.ts";
import { windowKeys } from "./keymap/window-keys.ts";
import { screenRows } from "./screens/screen-rows.ts";

/** Title, key, purpose. */
export function screenDocs(): string[][] {
  return Object.values(screenRows).map(({ title, key, purpose }) => [title, key, purpose]);
}

/** Usage, description. */
export function commandDocs(): string[][] {
  return knownCommands({ serverCommands: [] }).map((command) => [commandUsage(command), command.description]);
}

const placeNames: Record<string, string> = {
  composer: "input",
  scroll: "transcript",
  global: "anywhere",
  keys: "settings: providers",
};

const longNames: Record<string, string> = { pageup: "PageUp", pagedown: "PageDown" };

/** `ctrl+shift+z` as people write it: `Ctrl+Shift+Z`. */
export function keyLabel(key: string): string {
  return key
    .split("+")
    .map((part) => longNames[part] ?? part.slice(0, 1).toUpperCase() + part.slice(1))
    .join("+");
}

/** Keys, where, what. */
export function keyDocs(): string[][] {
  const window = windowKeys.filter(({ where }) => where === "anywhere").flatMap(({ keys }) => keys);
  return [...keyBindings, ...windowKeys]
    .map((row) => ({ ...row, keys: row.keys.filter((key) => row.where === "anywhere" || !window.includes(key)) }))
    .filter(({ keys }) => keys.length > 0)
    .map(({ keys, where, doc }) => [keys.map(keyLabel).join(", "), placeNames[where] ?? where, doc]);
}
