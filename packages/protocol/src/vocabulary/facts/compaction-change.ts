import * as z from "zod";

/** How a compaction replaced the older messages of an agent in the requests after it. */
export const compactionChange = {
  compactionId: z.string(),
  reason: z.enum(["manual", "auto", "overflow"]),
  summary: z.string(),
  /** Messages from this `seq` on are sent verbatim after the summary. */
  keepFromSeq: z.number(),
  /** Results among so many of the first messages that are kept are sent shortened; absent: none is. */
  shortened: z.number().optional(),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  /** The content that the person, or the agent itself, wanted to keep above all. */
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

/** How far a compaction is that is under way. */
export const compactionProgress = {
  compactionId: z.string(),
  /** `ended`: it is over, with its fact or without one. */
  phase: z.enum(["summarize", "merge", "ended"]),
  /** Requests that are done, and how many there will be as far as known. */
  done: z.number(),
  total: z.number(),
};
