import * as z from "zod";
import { exportFormats } from "../../choices.ts";
import { request } from "../table.ts";

export const exportMethods = {
  "session/export": request({
    doc: "Exports a session, live or stored: into a new file, or as text where `path` is absent and it has at most eight million characters. Known secrets are left out.",
    lane: "free",
    idempotent: false,
    access: "read",
    control: ["path", "replace", "raw"],
    params: z.object({
      sessionId: z.string(),
      format: z.enum(exportFormats),
      /** Absolute. */
      path: z.string().optional(),
      /** Also where there is a file already. */
      replace: z.boolean().optional(),
      /** With secrets. */
      raw: z.boolean().optional(),
    }),
    result: z.object({
      path: z.string().optional(),
      text: z.string().optional(),
      bytes: z.number(),
      /** Sentences on saved texts that could not be exported; absent: all were. */
      left: z.string().optional(),
    }),
  }),
};
