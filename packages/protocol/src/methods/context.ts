import * as z from "zod";
import { ContextReport } from "../vocabulary/context-report.ts";
import { request } from "./table.ts";

export const contextMethods = {
  "session/context": request({
    doc: "What fills the context window of an agent, in tokens by section; where the size of the window comes from; and what could be dropped, with what that would bring.",
    lane: "free",
    idempotent: true,
    access: "read",
    /** Without `agentId` the main agent. */
    params: z.object({ sessionId: z.string(), agentId: z.string().optional() }),
    result: ContextReport,
  }),
};
