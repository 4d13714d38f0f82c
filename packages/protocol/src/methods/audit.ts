import * as z from "zod";
import { AuditEntry } from "../vocabulary/permission.ts";
import { request } from "./table.ts";

/** The log of the gate's decisions. */
export const auditMethods = {
  "audit/list": request({
    doc: "The newest decisions of the gate, newest last.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({
      last: z.number().int().min(1).max(10_000).default(50),
      sessionId: z.string().optional(),
    }),
    result: z.object({ entries: z.array(AuditEntry), path: z.string(), problems: z.array(z.string()) }),
  }),
  "audit/clear": request({
    doc: "Empties the audit log; the first line of the new one says so.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({}),
    result: z.object({ removedEntries: z.number() }),
  }),
};
