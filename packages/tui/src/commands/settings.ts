import { settingsSlice } from "../screens/settings/state.ts";
import type { CommandContext, CommandRow } from "./command-row.ts";

export const settings: CommandRow = {
  aliases: ["config"],
  description: "Show and change settings",
  argumentHint: "[WORDS]",
  run: (context, args) => showSettings(context, args.trim() === "all" ? "" : args.trim()),
};

/** Opens Settings with the rows that have these words. */
export function showSettings({ store, window }: Pick<CommandContext, "store" | "window">, filter: string): void {
  const { settings: shown } = settingsSlice.of(store.get());
  settingsSlice.change(store, { settings: { ...shown, filter, selected: 0 } });
  window.show("settings");
}
