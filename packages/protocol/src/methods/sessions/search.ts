import * as z from "zod";
import { request } from "../table.ts";

/** A passage of a session that was found. */
export const SessionHit = z.object({
  sessionId: z.string(),
  /** As lists show the session: its title, or the start of its first message. */
  title: z.string(),
  folder: z.string(),
  /** The fact that it is in. */
  seq: z.number(),
  agentId: z.string(),
  /** `message`: of the person; `answer`: of an agent; `command`: a call of a tool; `file`: the name of a file. */
  kind: z.enum(["message", "answer", "command", "file"]),
  at: z.string(),
  /** One line, around the words. */
  excerpt: z.string(),
});
export type SessionHit = z.infer<typeof SessionHit>;

export const sessionSearchMethods = {
  "session/search": request({
    doc: "Full-text search in the stored sessions, with all their agents: messages, answers, calls of tools, and names of files, best first. A hit has all words of the query; where none has, any of them. Words match from their beginning; text in double quotes matches as it stands. `pending`: so many sessions have not been searched yet, so ask again.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({
      query: z.string().max(1_000),
      /** Only sessions of exactly this folder. */
      folder: z.string().optional(),
      /** Only sessions whose model's name contains this. */
      model: z.string().optional(),
      /** Only what was said at this time or later: a date, or a date with time, as ISO 8601 writes them. */
      since: z.string().optional(),
      /** Only the archived sessions; otherwise they are left out. */
      archived: z.boolean().optional(),
      limit: z.number().int().min(1).max(200).default(50),
    }),
    result: z.object({
      hits: z.array(SessionHit),
      /** How many passages match; more than 20,000 are not counted. */
      count: z.number(),
      pending: z.number(),
      /** Sentences on sessions that could not be searched; absent: there are none. */
      problems: z.array(z.string()).optional(),
    }),
  }),
};
