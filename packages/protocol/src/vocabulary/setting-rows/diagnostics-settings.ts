import * as z from "zod";
import type { SettingRow } from "./setting-row.ts";
import { textList } from "./text-list.ts";

/** Settings for the check of what agents have changed. */
export const diagnosticsSettings = {
  diagnostics: {
    title: "Check edits with language servers",
    group: "Files and undo",
    doc: "What language servers find in files after an agent has changed them: `errors` and `all` add what is new to the result of the call, `all` with warnings; `off` starts no server.",
    takesEffect: "next request",
    schema: z.enum(["off", "errors", "all"]),
    default: "errors",
    project: "any",
  },
  diagnostics_wait_ms: {
    title: "Wait for the check of edits",
    group: "Files and undo",
    doc: "How many milliseconds a result waits for language servers at most; what is not checked by then is named.",
    takesEffect: "next request",
    schema: z.number().int().min(0).max(30_000),
    default: 1_000,
    project: "lower",
  },
  check_command: {
    title: "Command that checks edits",
    group: "Files and undo",
    doc: "A command line, such as `npm run check` or `cargo check`, that checks what agents have changed where no language server does; empty: none. It runs in the sandbox, or in a trusted folder.",
    takesEffect: "next request",
    schema: z.string().max(1_000),
    default: "",
    project: "trusted",
  },
  check_command_wait_ms: {
    title: "Wait for the command",
    group: "Files and undo",
    doc: "How many milliseconds a result waits for `check_command` at most; a verdict that comes later is in a later result, if nothing has changed since.",
    takesEffect: "next request",
    schema: z.number().int().min(0).max(600_000),
    default: 20_000,
    project: "lower",
  },
  language_server_folders: {
    title: "Folders whose servers run",
    group: "Files and undo",
    doc: "Folders, absolute, in and below which language servers of the project itself are started (`node_modules/.bin`), and those that run its code, although there is nothing in them to trust; `check_command` as well, where there is no sandbox. `/diagnostics allow` adds one.",
    takesEffect: "next request",
    schema: textList,
    default: [],
  },
} as const satisfies Record<string, SettingRow>;
