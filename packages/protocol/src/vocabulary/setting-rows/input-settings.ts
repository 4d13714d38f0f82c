import * as z from "zod";
import type { SettingRow } from "./setting-row.ts";

/** Settings of what the person types. */
export const inputSettings = {
  enter_while_running: {
    title: "Enter while the agent works",
    group: "Typing",
    doc: "What Enter does with a message while the agent works: `steer` sends it with the next step, `queue` keeps it for after the turn. Tab does the other.",
    takesEffect: "now",
    schema: z.enum(["steer", "queue"]),
    default: "steer",
  },
  editor_mode: {
    title: "Keys of the input",
    group: "Typing",
    doc: "How the input is edited: `normal`, as in a shell, or `vim`, where Esc leads to normal mode and a second Esc does what it does otherwise.",
    takesEffect: "now",
    schema: z.enum(["normal", "vim"]),
    default: "normal",
  },
  prompt_history: {
    title: "Remember what you type",
    group: "Typing",
    doc: "Keep what you send in `prompt-history.jsonl` of the configuration folder, without secrets, so that Up and Ctrl+R find it in later windows.",
    takesEffect: "now",
    schema: z.boolean(),
    default: true,
  },
} as const satisfies Record<string, SettingRow>;
