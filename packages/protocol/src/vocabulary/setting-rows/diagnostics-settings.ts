import * as z from "zod";
import type { SettingRow } from "./setting-row.ts";

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
} as const satisfies Record<string, SettingRow>;
