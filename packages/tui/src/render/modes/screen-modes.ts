const ESC = "\u001b[";
/** The mouse events for the window: none; the wheel, which includes clicks; or drags as well. */
export const mouseOn = { off: "", scroll: `${ESC}?1000h${ESC}?1006h`, full: `${ESC}?1002h${ESC}?1006h` } as const;
export type MouseMode = keyof typeof mouseOn;
export const MOUSE_OFF = `${ESC}?1006l${ESC}?1002l${ESC}?1000l`;

/**
 * The terminal replies with its background colour (OSC 11, https://invisible-island.net/xterm/ctlseqs/ctlseqs.html).
 */
export const ASK_BACKGROUND = "\u001b]11;?\u001b\\";

/** Pops one entry of kitty's keyboard settings, which form a stack. */
const POP_KEYS = `${ESC}<u`;
export const KEYS_OFF = `${POP_KEYS}${ESC}>4m`;

/** Shift+Enter and similar keys from xterm (4;1) and, with the base layout's key, from kitty (5). */
export const KEYS_ON = `${ESC}>4;1m${ESC}>5u`;

/** Whether to ask for the keyboard protocols; `auto`: Windows Terminal loses AltGr under kitty's. */
export function wantsKeys(setting: unknown, { WT_SESSION }: Readonly<Record<string, string | undefined>>): boolean {
  return setting === "on" || (setting !== "off" && WT_SESSION === undefined);
}

/**
 * Wrapping is off so that a character of disputed width cannot spill into the next row. Then: bracketed paste, focus
 * reports, and the background colour, now and whenever it changes.
 */
const ON = `${ESC}?7l${ESC}?2004h${ESC}?1004h${ESC}?2031h${ASK_BACKGROUND}`;
const OFF = `${ESC}?2026l${MOUSE_OFF}${ESC}?2031l${ESC}?1004l${ESC}?2004l${ESC}?7h${ESC}m${ESC}?25h`;

/** The terminal window's title is pushed onto a stack, and popped at the end. */
const TITLE_KEPT = `${ESC}22;2t`;
export const TITLE_BACK = `${ESC}23;2t`;

/** Alternate screen first: kitty keeps its keyboard modes per screen. An inline window has no alternate screen. */
export const screenModes = {
  full: { enter: `${TITLE_KEPT}${ESC}?1049h${ON}`, leave: `${OFF}${ESC}?1049l${TITLE_BACK}` },
  inline: { enter: `${TITLE_KEPT}${ON}`, leave: `${OFF}${TITLE_BACK}` },
} as const;
