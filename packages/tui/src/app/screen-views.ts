import { screens } from "../screens/index.ts";
import type { ScreenRow, ScreenView } from "../screens/screen.ts";

export type ScreenViews = ReadonlyMap<string, ScreenView>;

/** Loads what the screens draw with; Ink has to be loaded before. */
export async function loadScreenViews(): Promise<ScreenViews> {
  const rows: [string, ScreenRow][] = Object.entries(screens);
  return new Map(await Promise.all(rows.map(async ([id, { view }]) => [id, await view()] as const)));
}
