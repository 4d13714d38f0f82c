import * as z from "zod";
import { HeldSession } from "../lifecycle.ts";
import { request } from "../table.ts";

/** A session that a server of this person holds; its socket leads to that server. */
export const LiveSessionView = HeldSession.extend({
  pid: z.number(),
  /** Absent: that server does not listen, or not yet. */
  socketPath: z.string().optional(),
});
export type LiveSessionView = z.infer<typeof LiveSessionView>;

export const liveMethods = {
  "session/keep": request({
    doc: "The session, with all others of this server, goes on without a client until nothing runs or waits for an answer any more; it is reached at `socketPath`. Calls that need permission wait for a client instead of being denied.",
    lane: "session",
    idempotent: true,
    access: "control",
    params: z.object({ sessionId: z.string() }),
    result: z.object({ socketPath: z.string() }),
  }),
  "session/stop": request({
    doc: "Ends all that the session does: its turn, what its agents and processes do in the background, and messages that wait. Clients that follow it are told by a notice, and may go on with it: `followers` is their number. Without any it is unloaded like after `session/close`.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: z.object({ sessionId: z.string() }),
    result: z.object({ followers: z.number() }),
  }),
  "session/live": request({
    doc: "The sessions that any server of this person holds at the moment, this one included: those that wait for an answer first, then those that run.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: z.object({}),
    result: z.object({
      sessions: z.array(LiveSessionView),
      /** Sentences on servers that did not answer; absent: all did. */
      problems: z.array(z.string()).optional(),
    }),
  }),
};
