import * as z from "zod";
import { FileDiff, RestoredFile } from "../vocabulary/files/file-changes.ts";
import { request } from "./table.ts";

/** The part that a rewind reverts. */
export const RewindTarget = z.enum(["conversation", "files", "both"]);
export type RewindTarget = z.infer<typeof RewindTarget>;

const sessionId = z.object({ sessionId: z.string() });
const result = z.object({
  files: z.array(RestoredFile),
  /** A summary, or why nothing was done, in sentences for people. */
  text: z.string(),
});

export const undoMethods = {
  "session/diff": request({
    doc: "The agent's changes to files that have not been undone, since the session began or since a message: for each file, by path, from before the agent's first change to after its last one. A person's changes in between are included.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: sessionId.extend({
      /** Id of the message; absent: since the session began. */
      since: z.string().optional(),
      offset: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(500).default(100),
    }),
    result: z.object({
      /** One page of them: fewer than `limit` if the diffs are long. */
      files: z.array(FileDiff),
      /** The offset of the next page; absent for the last one. */
      nextOffset: z.number().optional(),
      /** The number of all files. */
      changedFiles: z.number(),
      added: z.number(),
      removed: z.number(),
    }),
  }),
  "session/undo": request({
    doc: "Reverts the last turn's changes to files, and only those: later changes by a person are merged or kept.",
    lane: "session",
    idempotent: false,
    access: "control",
    params: sessionId,
    result,
  }),
  "session/redo": request({
    doc: "Reverts the last undo or rewind, as long as no message was sent since then.",
    lane: "session",
    idempotent: false,
    access: "control",
    params: sessionId,
    result,
  }),
  "undo/hint": request({
    doc: "Whether the person has still to be told that a turn can be undone: true once, for all clients and sessions.",
    lane: "global",
    idempotent: false,
    access: "control",
    params: z.object({}),
    result: z.object({ isDue: z.boolean() }),
  }),
  "session/rewind": request({
    doc: "Rewinds to before a message of the person: hides the messages since then, reverts changes of files, or both.",
    lane: "session",
    idempotent: false,
    access: "control",
    params: sessionId.extend({ messageId: z.string(), what: RewindTarget }),
    result,
  }),
};
