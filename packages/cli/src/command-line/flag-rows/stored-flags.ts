import { exportFormats, importSources } from "@harness/protocol/choices";
import { forks, sessionLists } from "../flag-homes.ts";
import type { FlagRow } from "../flag-row.ts";

/** Flags for stored sessions: forks, lists, and what is on its way out of harness or in. */
export const storedFlags = {
  format: {
    takes: "value",
    value: "FORMAT",
    choices: exportFormats,
    fallback: "what the ending of the file says; md without a file",
    doc: "Markdown, a page, all facts as JSON, a trajectory in ATIF, or a bundle to go on with elsewhere.",
    in: ["session export"],
  },
  from: {
    takes: "value",
    value: "PROGRAM",
    choices: importSources,
    doc: "List what this program keeps in its usual place; chat: TinyHarness.",
    in: ["session import"],
  },
  worktree: { takes: "nothing", doc: "With --fork: with files of its own, in a git worktree.", in: forks },
  folder: { takes: "value", value: "DIR", doc: "Only sessions of this folder.", in: sessionLists },
  since: {
    takes: "value",
    value: "TIME",
    doc: "Only sessions used since then: 12h, 7d, 2w, or a date such as 2026-11-21.",
    in: sessionLists,
  },
  archived: { takes: "nothing", doc: "The archived sessions.", in: sessionLists },
  deleted: { takes: "nothing", doc: "The sessions in the bin, of every folder.", in: ["sessions", "session list"] },
  now: { takes: "nothing", doc: "Delete for good, without the bin.", in: ["session delete"] },
  repair: { takes: "nothing", doc: "Copy all that can be read to a new session.", in: ["session fsck"] },
  raw: { takes: "nothing", doc: "Export with secrets; asks first.", in: ["session export"] },
  force: { takes: "nothing", doc: "Replace a file that exists.", in: ["session export"] },
  trajectory: {
    takes: "value",
    value: "FILE",
    doc: "At the end, write what was done to a file in ATIF, in place of one that exists; - for stdout, in place of the answer.",
    in: ["run"],
  },
} as const satisfies Record<string, FlagRow>;
