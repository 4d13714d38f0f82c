import { throughTmux } from "@harness/client/clipboard";
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

/** Over ssh only TERM, and LC_ variables, tell which terminal it is. */
const terminals: readonly (readonly [kind: Kind, isIt: (env: Env) => boolean])[] = [
  ["osc99", ({ TERM = "", KITTY_WINDOW_ID }) => KITTY_WINDOW_ID !== undefined || /^xterm-kitty/.test(TERM)],
  ["osc9", ({ WT_SESSION }) => WT_SESSION !== undefined],
  ["osc9", ({ TERM_PROGRAM = "" }) => ["ghostty", "iTerm.app", "WezTerm"].includes(TERM_PROGRAM)],
  ["osc9", ({ TERM = "" }) => /^(?:xterm-)?(?:ghostty|wezterm)|^iterm2/i.test(TERM)],
  ["osc9", ({ LC_TERMINAL = "" }) => LC_TERMINAL === "iTerm2"],
  ["osc777", ({ TERM = "" }) => /^(?:foot|rxvt)/.test(TERM)],
];

/** The notification kind of a terminal that identifies itself; all others get a bell. */
function kindOf(env: Env): Kind {
  return terminals.find(([, isIt]) => isIt(env))?.[0] ?? "bell";
}

/** A program between this one and the terminal; it passes on the bell, and hardly anything else. */
function multiplexerOf({ TMUX, STY, ZELLIJ }: Env): "tmux" | "other" | undefined {
  if (TMUX !== undefined) return "tmux";
  return STY !== undefined || ZELLIJ !== undefined ? "other" : undefined;
}

/** The bytes of a notification according to the setting `notifications`; "": none. */
export function notificationBytes(
  setting: unknown,
  env: Env,
  { title, body }: { title: string; body: string },
): string {
  if (setting === "off") return "";
  const chosen = Object.keys(notifications).find((each) => each === setting) as Kind | undefined;
  const multiplexer = multiplexerOf(env);
  // tmux has a TERM of its own, and its server's environment is that of the first terminal.
  const known = kindOf(env) === "bell" && multiplexer === "tmux" ? "osc9" : kindOf(env);
  const kind = chosen ?? (multiplexer === "other" ? "bell" : known);
  const bytes = notifications[kind](plain(title), plain(body));
  if (multiplexer !== "tmux" || kind === "bell") return bytes;
  return (chosen === undefined ? BELL : "") + throughTmux(bytes);
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
export function progress(state: Progress, env: Env): string {
  const { TERM = "", TERM_PROGRAM = "", WT_SESSION, ConEmuANSI } = env;
  const isNamed = ["ghostty", "WezTerm"].includes(TERM_PROGRAM) || /^(?:xterm-)?(?:ghostty|wezterm)/.test(TERM);
  const isKnown = isNamed || WT_SESSION !== undefined || ConEmuANSI === "ON";
  return isKnown && !multiplexerOf(env) ? `${OSC}9;4;${progressCodes[state]}${END}` : "";
}
