import { session } from "../flag-homes.ts";
import type { FlagRow } from "../flag-row.ts";

/** Where a session works. */
export const worktreeFlags = {
  "in-worktree": {
    takes: "value",
    short: "w",
    value: "NAME",
    doc: "Work in the git worktree of this name beside the repository; it is made, with the files as they are, if there is none.",
    in: session,
  },
} as const satisfies Record<string, FlagRow>;
