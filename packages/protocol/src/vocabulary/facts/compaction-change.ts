import * as z from "zod";

/** How a compaction replaced the older messages of an agent in later requests. */
export const compactionChange = {
  compactionId: z.string(),
  reason: z.enum(["manual", "auto", "overflow"]),
  summary: z.string(),
  /** Messages from this `seq` on are sent verbatim after the summary. */
  keepFromSeq: z.number(),
  /** Results among this many of the first kept messages are sent shortened; absent if there are none. */
  shortened: z.number().optional(),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  /** The content that the user, or the agent itself, wanted to keep above all. */
  focus: z.string().optional(),
  /**
   * The kinds of content that harness added after the summary because they were missing: messages, rules, agents,
   * todos, files.
   */
  pins: z.array(z.string()).optional(),
  /** How many requests the summary took; absent: one. */
  passes: z.number().optional(),
  /** `truncated`: no summary could be written, and the older messages were left out without one. */
  fallback: z.enum(["truncated"]).optional(),
};

/** The progress of a running compaction. */
export const compactionProgress = {
  compactionId: z.string(),
  /** `ended`: it is over, with its fact or without one. */
  phase: z.enum(["summarize", "merge", "ended"]),
  /** Completed requests, and the total as far as known. */
  done: z.number(),
  total: z.number(),
};
