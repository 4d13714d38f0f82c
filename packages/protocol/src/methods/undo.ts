import * as z from "zod";
import { RestoredFile } from "../vocabulary/file-changes.ts";
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
  "session/undo": request({
    doc: "Reverts the changes of files by the last turn, and only those: later changes by a person are merged or kept.",
    lane: "session",
    idempotent: false,
    access: "control",
    params: sessionId,
    result,
  }),
  "session/redo": request({
    doc: "Reverts the last undo or rewind, as long as no message was sent since.",
    lane: "session",
    idempotent: false,
    access: "control",
    params: sessionId,
    result,
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
