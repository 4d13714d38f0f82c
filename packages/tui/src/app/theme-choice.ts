import type { ColourEnv } from "../render/index.ts";
import { type Rgb, rgbOf } from "../theme/contrast.ts";
import { type BackgroundKind, backgroundKind, ownColours, type Theme, themeOn } from "../theme/theme.ts";
import { isThemeName } from "../theme/themes.ts";

/** `rgb:RRRR/GGGG/BBBB` with one to four hexadecimal digits each, or `rgba:` with one more. */
const BACKGROUND_REPLY = /^.\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i;
/** The terminal has become dark or light (https://contour-terminal.org/vt-extensions/color-palette-update-notifications/). */
const CHANGED_REPLY = /^.\[\?997;[12]n/;

type ThemeListener = { changed(theme: Theme): void; askBackground(): void };

/** The window's theme: the user's choice, on the terminal's background. */
export class ThemeChoice {
  readonly #env: ColourEnv;
  readonly #listener: ThemeListener;
  #chosen = "auto";
  #own: readonly string[] = [];
  #background: Rgb | undefined;
  #theme: Theme;

  constructor(env: ColourEnv, listener: ThemeListener) {
    this.#env = env;
    this.#listener = listener;
    this.#theme = this.#made();
  }

  get theme(): Theme {
    return this.#theme;
  }

  /** Applies the settings: a theme, and colours that override some of its own; an unknown theme counts as `auto`. */
  choose(setting: unknown, colours?: unknown): void {
    const chosen = typeof setting === "string" ? setting : "auto";
    const own = Array.isArray(colours) ? colours.map(String) : [];
    if (chosen === this.#chosen && own.join() === this.#own.join()) return;
    this.#chosen = chosen;
    this.#own = own;
    this.#change();
  }

  /** Call with any reply of the terminal. */
  take(reply: string): void {
    if (CHANGED_REPLY.test(reply)) this.#listener.askBackground();
    const channels = BACKGROUND_REPLY.exec(reply)?.slice(1);
    if (!channels) return;
    const [r = 0, g = 0, b = 0] = channels.map((hex) => (Number.parseInt(hex, 16) / (16 ** hex.length - 1)) * 255);
    if (this.#background?.[0] === r && this.#background[1] === g && this.#background[2] === b) return;
    this.#background = [r, g, b];
    this.#change();
  }

  #change(): void {
    this.#theme = this.#made();
    this.#listener.changed(this.#theme);
  }

  #made(): Theme {
    const kind = this.#background ? backgroundKind(this.#background) : kindOfEnv(this.#env);
    const name = isThemeName(this.#chosen) ? this.#chosen : (kind ?? "dark");
    // If the terminal only says that it is light, the lightest background is the hardest to read on.
    const background = this.#background ?? (kind === "light" ? rgbOf("#ffffff") : undefined);
    const isUnknown = kind === undefined && !isThemeName(this.#chosen);
    return themeOn(name, background, ownColours(this.#own), { isUnknown });
  }
}

/** `COLORFGBG` of rxvt, Konsole and others: numbers of 16 colours, the background last. */
function kindOfEnv({ COLORFGBG = "" }: ColourEnv): BackgroundKind | undefined {
  const background = /;(\d{1,2})$/.exec(COLORFGBG)?.[1];
  if (background === undefined) return undefined;
  return background === "7" || Number(background) > 8 ? "light" : "dark";
}
