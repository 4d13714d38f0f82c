import * as z from "zod";
import { request } from "../table.ts";

const SessionFaultView = z.object({
  path: z.string(),
  /** From 1. */
  line: z.number().optional(),
  /** In sentences. */
  what: z.string(),
  /** Nothing of the session is lost. */
  isHarmless: z.literal(true).optional(),
});

export const checkMethods = {
  "session/check": request({
    doc: "Looks at every line of a session's files, by id, unique prefix or title, and changes nothing. Without `sessionId` at all sessions: those with something wrong are in the answer. A copy with all that can be read is made by `session/import` of the session's folder.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ sessionId: z.string().optional() }),
    result: z.object({
      /** How many sessions were looked at. */
      checked: z.number(),
      sessions: z.array(
        z.object({
          sessionId: z.string(),
          folder: z.string(),
          /** The entries that can be read. */
          facts: z.number(),
          faults: z.array(SessionFaultView),
        }),
      ),
    }),
  }),
};
