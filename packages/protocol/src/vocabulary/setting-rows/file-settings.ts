import * as z from "zod";
import type { SettingRow } from "./setting-row.ts";

/** Settings for keys and for stored files. */
export const fileSettings = {
  keyring: {
    title: "Where keys are stored",
    group: "Keys and logins",
    doc: "Where keys are saved: `auto` uses the system's keyring where one works, `off` always a private file.",
    takesEffect: "now",
    schema: z.enum(["auto", "off"]),
    default: "auto",
  },
  file_encoding: {
    title: "Encoding of older files and output",
    group: "Files and undo",
    doc: "The encoding of text files that are not UTF-8, such as `windows-1251` or `shift_jis`, where `.editorconfig` names none, and of output that is not UTF-8.",
    takesEffect: "next request",
    schema: z.string().regex(/^[\w.:-]*$/, "a name from the Encoding Standard, such as windows-1251"),
    default: "",
    project: "trusted",
  },
  session_format: {
    title: "How sessions are written",
    group: "Files and undo",
    doc: "`jsonl` writes a session as a log of all that happened, `markdown` as a file for each message that you can read and edit.",
    takesEffect: "new sessions",
    schema: z.enum(["jsonl", "markdown"]),
    default: "jsonl",
  },
  session_stream: {
    title: "Stream sessions to files",
    group: "Files and undo",
    doc: "Write what happens in a turn to `.stream` in the folder of its session, for programs that follow it.",
    takesEffect: "next request",
    schema: z.boolean(),
    default: false,
    env: "HARNESS_SESSION_STREAM",
  },
  checkpoints: {
    title: "Keep files for undo",
    group: "Files and undo",
    doc: "Save files before each turn that may change them, so that /undo and /rewind can restore them.",
    takesEffect: "next request",
    schema: z.boolean(),
    default: true,
    project: "stricterUntrusted",
    scale: [true, false],
  },
  checkpoint_max_file_bytes: {
    title: "Largest file kept for undo",
    group: "Files and undo",
    doc: "Files with more bytes are not saved and cannot be undone.",
    takesEffect: "next request",
    schema: z.number().int().min(1).max(10_000_000_000),
    default: 10_000_000,
    project: "trusted",
  },
} as const satisfies Record<string, SettingRow>;
