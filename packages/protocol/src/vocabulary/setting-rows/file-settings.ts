import * as z from "zod";
import type { SettingRow } from "./setting-row.ts";

/** Settings of keys and of files that are kept. */
export const fileSettings = {
  keyring: {
    title: "Where keys are stored",
    group: "Keys and logins",
    doc: "Where keys are kept: `auto` takes the system's keyring where one works, `off` always a private file.",
    takesEffect: "now",
    schema: z.enum(["auto", "off"]),
    default: "auto",
  },
  checkpoints: {
    title: "Keep files for undo",
    group: "Files and undo",
    doc: "Keep the files before each turn that may change them, for /undo and /rewind.",
    takesEffect: "next request",
    schema: z.boolean(),
    default: true,
    project: "stricterUntrusted",
    scale: [true, false],
  },
  checkpoint_max_file_bytes: {
    title: "Largest file kept for undo",
    group: "Files and undo",
    doc: "Larger files are left out of checkpoints.",
    takesEffect: "next request",
    schema: z.number().int().min(1).max(10_000_000_000),
    default: 10_000_000,
    project: "trusted",
  },
} as const satisfies Record<string, SettingRow>;
