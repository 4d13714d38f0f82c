import { chat } from "./chat/index.ts";
import { history } from "./history/index.ts";
import { home } from "./home/index.ts";
import type { ScreenRow } from "./screen.ts";
import { settings } from "./settings/index.ts";

/** Every screen. A window begins with the first one. */
export const screens = { home, chat, settings, history } as const satisfies Record<string, ScreenRow>;

export type ScreenId = keyof typeof screens;
