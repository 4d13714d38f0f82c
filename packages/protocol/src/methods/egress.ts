import * as z from "zod";
import { request } from "./table.ts";

/** A request of harness itself that left this machine, or was blocked. */
export const EgressEntry = z.object({
  at: z.string(),
  /** Such as `model`, `login`, `web_fetch`. */
  purpose: z.string(),
  method: z.string(),
  /** Scheme, host and port; never a path or a query. */
  origin: z.string(),
  /** Why it was blocked; absent if it was sent. */
  refused: z.string().optional(),
});
export type EgressEntry = z.infer<typeof EgressEntry>;

export const egressMethods = {
  "egress/list": request({
    doc: "Which hosts harness itself has contacted since the server started, newest last.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ last: z.number().int().min(1).max(1000).default(100) }),
    result: z.object({ localOnly: z.boolean(), entries: z.array(EgressEntry), total: z.number() }),
  }),
};
