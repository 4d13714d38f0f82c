import * as z from "zod";
import { colourRoles, hudParts, themeNames } from "../../choices.ts";
import type { SettingRow } from "./setting-row.ts";

/** The role of a colour, and the colour. */
const ownColour = z
  .string()
  .regex(new RegExp(`^(${colourRoles.join("|")})=#[0-9A-Fa-f]{6}$`), "entries such as accent=#ff8800");

/** Settings of the window. */
export const lookSettings = {
  theme: {
    title: "Theme",
    group: "Look",
    doc: "The window's colours: `auto` follows the terminal's dark or light background, `terminal` uses the terminal's own 16 colours.",
    takesEffect: "now",
    schema: z.enum(themeNames),
    default: "auto",
    env: "HARNESS_THEME",
  },
  theme_colors: {
    title: "Own colours",
    group: "Look",
    doc: `Colours in place of those of the theme: \`accent=#ff8800, user=#88c0d0\`. What a colour is for: ${colourRoles.map((role) => `\`${role}\``).join(", ")}. One that could not be read on the background is made lighter or darker; with 16 colours those of the theme stay.`,
    takesEffect: "now",
    schema: z.array(ownColour).max(100),
    default: [],
  },
  inline: {
    title: "Inline window",
    group: "Look",
    doc: "Draw the window below the terminal's output instead of on a screen of its own; finished messages stay in the scrollback. `--inline` does this once.",
    takesEffect: "new windows",
    schema: z.boolean(),
    default: false,
    env: "HARNESS_INLINE",
  },
  line_mode: {
    title: "Plain lines",
    group: "Look",
    doc: "Talk in plain lines in place of the window, as `harness repl` does: for simple terminals and screen readers. `--line` does it once.",
    takesEffect: "new windows",
    schema: z.boolean(),
    default: false,
    env: "HARNESS_LINE_MODE",
  },
  mouse: {
    title: "Mouse",
    group: "Look",
    doc: "What the mouse does in the window: `full` selects, copies and clicks, `scroll` only scrolls, `off` leaves the mouse to the terminal.",
    takesEffect: "now",
    schema: z.enum(["full", "scroll", "off"]),
    default: "full",
    env: "HARNESS_MOUSE",
  },
  copy_on_select: {
    title: "Copy on select",
    group: "Look",
    doc: "Copy text as soon as it is selected with the mouse. When off, Ctrl+C copies it.",
    takesEffect: "now",
    schema: z.boolean(),
    default: true,
  },
  wheel_rows: {
    title: "Rows per wheel step",
    group: "Look",
    doc: "How many rows one step of the mouse wheel scrolls.",
    takesEffect: "now",
    schema: z.number().int().min(1).max(20),
    default: 3,
  },
  exit_screens: {
    title: "Screens kept on exit",
    group: "Look",
    doc: "How many of the last screens of the conversation stay in the terminal when the window closes.",
    takesEffect: "now",
    schema: z.number().int().min(0).max(20),
    default: 0,
  },
  show_thinking: {
    title: "Show thinking",
    group: "Look",
    doc: "Show the model's thinking unfolded.",
    takesEffect: "now",
    schema: z.boolean(),
    default: false,
    project: "any",
  },
  hud_hide: {
    title: "Hidden in the status row",
    group: "Look",
    doc: `Parts of the status row to hide: ${hudParts.join(", ")}. Warnings are always shown.`,
    takesEffect: "now",
    schema: z.array(z.enum(hudParts)).max(hudParts.length),
    default: [],
  },
  statusline: {
    title: "Status row command",
    group: "Look",
    doc: "A shell command that gets the session's state as JSON on stdin and prints the status row, in colours if you like. Empty: harness's own status row. Warnings are always shown.",
    takesEffect: "now",
    schema: z.string().max(2_000),
    default: "",
  },
  notifications: {
    title: "Notifications",
    group: "Look",
    doc: "How the window tells you, while it is not in focus, that it needs an answer or that a long turn has ended: `auto` uses the terminal's notifications, or else its bell.",
    takesEffect: "now",
    schema: z.enum(["auto", "bell", "osc9", "osc777", "osc99", "off"]),
    default: "auto",
  },
  notify_after_secs: {
    title: "Notify after",
    group: "Look",
    doc: "Notify when a turn ends that took at least this many seconds.",
    takesEffect: "now",
    schema: z.number().int().min(0).max(86_400),
    default: 20,
  },
  window_title: {
    title: "Terminal title",
    group: "Look",
    doc: "Show in the terminal's title which session this is and whether it is working or waiting for you.",
    takesEffect: "now",
    schema: z.boolean(),
    default: true,
  },
  terminal_progress: {
    title: "Terminal progress",
    group: "Look",
    doc: "Show in the terminal's tab that the agent is working (Ghostty, WezTerm, Windows Terminal, ConEmu).",
    takesEffect: "now",
    schema: z.boolean(),
    default: true,
  },
} as const satisfies Record<string, SettingRow>;
