import * as z from "zod";
import { importSources } from "../../choices.ts";
import { request } from "../table.ts";

/** A session of another program, in its own place. */
const FoundSession = z.object({
  path: z.string(),
  changedAt: z.string(),
  bytes: z.number(),
  /** Its title, or the beginning of its first message; only for the newest ones. */
  title: z.string().optional(),
  cwd: z.string().optional(),
});

export const importMethods = {
  "session/import": request({
    doc: "Makes a new session of a bundle, of a session of harness (its folder, log or JSON), or of one of another program; the file stays as it is. Calls of other programs become text, and `left` says in a sentence what did not come along. `cwd`: the folder to work in; absent: that of the session if it is here, else the server's.",
    lane: "free",
    idempotent: false,
    access: "control",
    params: z.object({
      /** Absolute. */
      path: z.string(),
      cwd: z.string().optional(),
    }),
    result: z.object({
      sessionId: z.string(),
      cwd: z.string(),
      /** The program, or the kind of file, that it is from. */
      from: z.string(),
      messages: z.number(),
      left: z.string(),
    }),
  }),
  "session/importable": request({
    doc: "Sessions that another program keeps in its usual place below the home, newest first.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ from: z.enum(importSources), limit: z.number().int().min(1).max(500).default(50) }),
    result: z.object({
      sessions: z.array(FoundSession),
      /** The number of all that there are. */
      total: z.number(),
      /** The program's name for people, and the folders that were looked into. */
      title: z.string(),
      folders: z.array(z.string()),
    }),
  }),
};
