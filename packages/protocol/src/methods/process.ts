import * as z from "zod";
import { ProcessView } from "../vocabulary/background-process.ts";
import { request } from "./table.ts";

const sessionId = z.object({ sessionId: z.string() });
const processId = sessionId.extend({ processId: z.string() });

export const processMethods = {
  "process/list": request({
    doc: "The session's background processes, running ones first: state, ports, last line.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: sessionId,
    result: z.object({ processes: z.array(ProcessView) }),
  }),
  "process/read": request({
    doc: "What a background process has printed, from `offset` on; without one, the end. The agent still gets all of it.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: processId.extend({
      /** `nextOffset` of the previous read. */
      offset: z.number().int().min(0).optional(),
      maxBytes: z.number().int().min(1).max(256_000).default(64_000),
    }),
    result: z.object({
      text: z.string(),
      /** Where `text` begins: later than requested if older output is no longer kept. */
      offset: z.number(),
      nextOffset: z.number(),
      /** There is more already. */
      more: z.boolean(),
    }),
  }),
  "process/send": request({
    doc: "Writes to a process's input.",
    lane: "free",
    idempotent: false,
    access: "control",
    params: processId.extend({ input: z.string().min(1).max(64_000) }),
    result: z.object({}),
  }),
  "process/stop": request({
    doc: "Ends a process with everything it has started; the answer comes when it has ended.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: processId,
    result: z.object({ process: ProcessView }),
  }),
  "process/keep": request({
    doc: "Lets a background process keep running after its session is closed and harness has ended, or ties it to the session again.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: processId.extend({ keep: z.boolean() }),
    result: z.object({ process: ProcessView }),
  }),
};
