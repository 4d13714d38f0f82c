import { randomBytes } from "node:crypto";
import type { Ids } from "@harness/core";

const prefixes = {
  message: "m",
  turn: "t",
  worktree: "w",
  call: "call",
  permission: "p",
  question: "q",
  compaction: "c",
  rewind: "r",
} as const satisfies Record<Parameters<Ids["next"]>[0], string>;

/** Random ids, unique even across restarts of the same session. */
export const randomIds: Ids = {
  next: (kind) => `${prefixes[kind]}_${randomBytes(6).toString("hex")}`,
};
