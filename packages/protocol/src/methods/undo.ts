import * as z from "zod";
import { RestoredFile } from "../vocabulary/file-changes.ts";
import { request } from "./table.ts";

/** What goes back in a rewind. */
export const RewindTarget = z.enum(["conversation", "files", "both"]);
export type RewindTarget = z.infer<typeof RewindTarget>;

const sessionId = z.object({ sessionId: z.string() });
const result = z.object({
  files: z.array(RestoredFile),
  /** What was done, or why nothing was, in sentences for people. */
  text: z.string(),
});

export const undoMethods = {
  "session/undo": request({
    doc: "Takes back what the last turn changed in the files, and only that: what a person changed since is merged or kept.",
    lane: "session",
    idempotent: false,
    access: "control",
    params: sessionId,
    result,
  }),
  "session/redo": request({
    doc: "Takes the last undo or rewind back, as long as nothing was said since.",
    lane: "session",
    idempotent: false,
    access: "control",
    params: sessionId,
    result,
  }),
  "session/rewind": request({
    doc: "Goes back to before a message of the person: sets aside what was said since, takes back its changes of files, or both.",
    lane: "session",
    idempotent: false,
    access: "control",
    params: sessionId.extend({ messageId: z.string(), what: RewindTarget }),
    result,
  }),
};
