import * as z from "zod";
import { request } from "../table.ts";

export const archiveMethods = {
  "session/archive": request({
    doc: "Puts a session, live or stored, into the archive or takes it out. Lists and searches show the archive when they are asked for it. Its time stays, and so does its place in lists. A new message of the person takes it out.",
    lane: "session",
    idempotent: true,
    access: "control",
    params: z.object({ sessionId: z.string(), archived: z.boolean() }),
    result: z.object({}),
  }),
  "session/restore": request({
    doc: "Brings a deleted session back from the bin to where it was, by id, unique prefix of an id, or title.",
    lane: "session",
    idempotent: true,
    access: "control",
    params: z.object({ sessionId: z.string() }),
    result: z.object({
      sessionId: z.string(),
      /** Its folder. */
      path: z.string(),
    }),
  }),
};
