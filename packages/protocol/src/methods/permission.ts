import * as z from "zod";
import { Permission, PermissionOutcome } from "../vocabulary/permission.ts";
import { request } from "./table.ts";

const sessionId = z.object({ sessionId: z.string() });

export const permissionMethods = {
  "permission/list": request({
    doc: "Permission requests that wait for an answer.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ sessionId: z.string().optional() }),
    result: z.object({ pending: z.array(sessionId.extend({ permission: Permission })) }),
  }),
  "permission/reply": request({
    doc: "Answers a permission request; the first answer of any client counts, a later one is a `conflict`.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: sessionId.extend({ permissionId: z.string(), outcome: PermissionOutcome }),
    result: z.object({}),
  }),
};

/** Requests of the server to a client. */
export const permissionRequests = {
  "session/request_permission": request({
    doc: "May this call run? Sent to every controller that can ask; withdrawn (cancelled) when another answered first.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: sessionId.extend({ permission: Permission }),
    result: PermissionOutcome,
  }),
};
