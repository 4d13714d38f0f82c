import * as z from "zod";
import type { SettingRow } from "./setting-row.ts";

/** Settings for the user's input. */
export const inputSettings = {
  enter_while_running: {
    title: "Enter while the agent works",
    group: "Typing",
    doc: "What Enter does while the agent works: `steer` sends the message with the next step, `queue` sends it after the turn. Tab does the opposite.",
    takesEffect: "now",
    schema: z.enum(["steer", "queue"]),
    default: "steer",
  },
  editor_mode: {
    title: "Editing keys",
    group: "Typing",
    doc: "How you edit a message, and every field of one line: `normal` works as in a shell; in `vim`, Esc enters normal mode and a second Esc has its usual effect.",
    takesEffect: "now",
    schema: z.enum(["normal", "vim"]),
    default: "normal",
  },
  editor: {
    title: "Editor",
    group: "Typing",
    doc: "The program in which Ctrl+G and `/edit` open a text, with its arguments, such as `nvim` or `code --wait`; the file is its last argument. Empty: `$VISUAL`, else `$EDITOR`, else vi.",
    takesEffect: "now",
    schema: z.string().max(2_000),
    default: "",
  },
  prompt_history: {
    title: "Remember what you type",
    group: "Typing",
    doc: "Save what you send, without secrets, in `prompt-history.jsonl` in the configuration folder, so that later windows find it.",
    takesEffect: "now",
    schema: z.boolean(),
    default: true,
  },
} as const satisfies Record<string, SettingRow>;
