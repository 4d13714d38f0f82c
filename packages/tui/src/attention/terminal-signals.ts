import { sanitiseLine } from "../text/index.ts";

type Env = Readonly<Record<string, string | undefined>>;

const OSC = "\u001b]";
const END = "\u001b\\";
const BELL = "\u0007";
const MAX_TEXT = 200;

/** Ways to show a notification: a sequence that the terminal understands, or its bell. */
const notifications = {
  bell: () => BELL,
  /** iTerm2, WezTerm, Ghostty, Windows Terminal. */
  osc9: (title: string, body: string) => `${OSC}9;${title}: ${body}${END}`,
  /** rxvt-unicode, foot, VTE. */
  osc777: (title: string, body: string) => `${OSC}777;notify;${title};${body}${END}`,
  /** kitty (https://sw.kovidgoyal.net/kitty/desktop-notifications/), without a reply. */
  osc99: (title: string, body: string) =>
    `${OSC}99;i=harness:d=0;${title}${END}${OSC}99;i=harness:d=1:p=body;${body}${END}`,
} as const;
type Kind = keyof typeof notifications;

/** The notification kind of a terminal that identifies itself; all others get a bell, and so does a multiplexer. */
function kindOf({ TERM = "", TERM_PROGRAM = "", TMUX, STY, KITTY_WINDOW_ID, WT_SESSION }: Env): Kind {
  if (TMUX !== undefined || STY !== undefined) return "bell";
  if (KITTY_WINDOW_ID !== undefined || TERM === "xterm-kitty") return "osc99";
  if (["ghostty", "iTerm.app", "WezTerm"].includes(TERM_PROGRAM) || WT_SESSION !== undefined) return "osc9";
  return /^(foot|rxvt)/.test(TERM) ? "osc777" : "bell";
}

/** The bytes of a notification according to the setting `notifications`; "": none. */
export function notificationBytes(
  setting: unknown,
  env: Env,
  { title, body }: { title: string; body: string },
): string {
  if (setting === "off") return "";
  const kind = Object.keys(notifications).find((each) => each === setting) as Kind | undefined;
  return notifications[kind ?? kindOf(env)](plain(title), plain(body));
}

/** Without control characters, and without separators of the sequences. */
function plain(text: string): string {
  return sanitiseLine(text).replaceAll(";", ",").slice(0, MAX_TEXT).toWellFormed();
}

/** The title of the terminal's window or tab; "" gives the terminal its own. */
export function windowTitle(text: string): string {
  return `${OSC}2;${sanitiseLine(text).slice(0, MAX_TEXT).toWellFormed()}${END}`;
}

/** Progress codes (https://conemu.github.io/en/AnsiEscapeCodes.html#ConEmu_specific_OSC): running, waiting, or none. */
const progressCodes = { none: "0", busy: "3", waiting: "4;100" } as const;
export type Progress = keyof typeof progressCodes;

/** Only for terminals known to support it: others would show the numbers as a notification. */
export function progress(state: Progress, { TERM_PROGRAM = "", TMUX, STY, WT_SESSION, ConEmuANSI }: Env): string {
  const isInside = TMUX !== undefined || STY !== undefined;
  const isKnown = ["ghostty", "WezTerm"].includes(TERM_PROGRAM) || WT_SESSION !== undefined || ConEmuANSI === "ON";
  return isKnown && !isInside ? `${OSC}9;4;${progressCodes[state]}${END}` : "";
}
