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
};
