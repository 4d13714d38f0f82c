import * as z from "zod";
import { request } from "../table.ts";

/** A request, or a decision about a call, that would be different now. */
const ReplayDifference = z.object({
  /** Counted from 1, as is the request: the last one that was made until then. */
  turn: z.number(),
  request: z.number(),
  agentId: z.string(),
  kind: z.enum(["request", "call"]),
  /** The part of the request, such as `system`, `tools.bash` or `body.temperature`, or the title of the call. */
  where: z.string(),
  /** A sentence. */
  what: z.string(),
  /** The lines that differ, or their beginning. */
  recorded: z.string().optional(),
  now: z.string().optional(),
});
export type ReplayDifference = z.infer<typeof ReplayDifference>;

export const replayMethods = {
  "session/replay": request({
    doc: "Replays a stored session with the hooks and settings of now: builds each of its requests again, compares it with what was sent, and judges each call again. Replies and results come from the log: no model is asked, no tool runs, no file changes.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: z.object({ sessionId: z.string() }),
    result: z.object({
      sessionId: z.string(),
      turns: z.number(),
      requests: z.number(),
      /** Requests with the same bytes as then. */
      exact: z.number(),
      /** Calls that were judged again. */
      calls: z.number(),
      /** Requests and calls that differ; absent from the list are those after the first twenty. */
      differing: z.number(),
      differences: z.array(ReplayDifference),
      /** Sentences on what could not be compared. */
      notes: z.array(z.string()),
    }),
  }),
};
