import * as z from "zod";
import { request } from "../table.ts";

/** Larger texts stay between the disk and the editor. */
export const MAX_BUFFER_CHARS = 5 * 1024 * 1024;

const file = z.object({ sessionId: z.string(), path: z.string() });

/** Requests of the server to a client that has announced `buffers`. */
export const bufferRequests = {
  "buffer/read": request({
    doc: "The text of a file in the client's editor, saved or not. Only text files in the session's folders are asked for, by their real paths, and only up to 5 MB.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: file,
    result: z.union([
      z.object({ text: z.string().max(MAX_BUFFER_CHARS) }),
      /** `unknown`: the client has no text of this file; `failed`: it does not know. */
      z.object({ missing: z.enum(["unknown", "too_large", "failed"]) }),
    ]),
  }),
  "buffer/write": request({
    doc: "Replaces the text of a file in the client's editor, and saves it; the file may be new. It was allowed before, and is checked afterwards.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: file.extend({ text: z.string() }),
    /** `problem`: why it was not written, for the model. */
    result: z.object({ problem: z.string().optional() }),
  }),
};
