import { chatScreen } from "./chat/index.ts";
import { historyScreen } from "./history/index.ts";
import { homeScreen } from "./home/index.ts";
import type { ScreenRow, ScreenView } from "./screen.ts";
import { settingsScreen } from "./settings/index.ts";

/** Every screen. A window begins with the first one. */
export const screens = {
  home: homeScreen,
  chat: chatScreen,
  settings: settingsScreen,
  history: historyScreen,
} as const satisfies Record<string, ScreenRow>;

export type ScreenId = keyof typeof screens;

/** The state only ever names screens of the table. */
export function screenRow(screen: string): ScreenRow {
  return screens[screen as ScreenId];
}

/** Loads the components of the screens; Ink has to be loaded before. */
export async function loadScreenViews(): Promise<ReadonlyMap<string, ScreenView>> {
  const rows: [string, ScreenRow][] = Object.entries(screens);
  return new Map(await Promise.all(rows.map(async ([id, { view }]) => [id, await view()] as const)));
}
