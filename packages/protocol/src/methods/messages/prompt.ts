import * as z from "zod";
import { Content } from "../../vocabulary/message.ts";
import { request } from "../table.ts";

/** While a turn runs, `queue` waits for its end, `steer` joins it before its next request, and `start` is refused. */
export const Delivery = z.enum(["start", "queue", "steer"]);
export type Delivery = z.infer<typeof Delivery>;

const sessionId = z.object({ sessionId: z.string() });

export const promptMethods = {
  "session/prompt": request({
    doc: "Accepts a message and answers at once; updates report the turn. The same `promptId` again changes nothing. Files that its text mentions with `@` are sent with it; one that cannot be refuses the message, with the reason. Mentions in `quoted` text are ignored, and the session is not named after it. A message to a subagent that has ended fails with `conflict` and the subagent's result.",
    lane: "session",
    idempotent: true,
    access: "control",
    params: sessionId.extend({
      promptId: z.string(),
      prompt: z.array(Content).min(1),
      delivery: Delivery.default("queue"),
      /**
       * A running subagent, by its id or name: it reads the message before its next request. Absent: the main agent.
       */
      agentId: z.string().optional(),
      /**
       * The user has confirmed that they mean the mentioned files outside the workspace. A message that is refused only
       * for want of this has an issue at `allowOutside`.
       */
      allowOutside: z.boolean().optional(),
      /** The W3C trace context of the client: the turn that the message starts belongs to its trace. */
      traceparent: z.string().max(512).optional(),
    }),
    result: z.object({
      promptId: z.string(),
      turnId: z.string().optional(),
      disposition: z.enum(["started", "queued", "steered"]),
      duplicate: z.boolean().optional(),
    }),
  }),
  "session/unqueue": request({
    doc: "Removes a queued prompt.",
    lane: "session",
    idempotent: true,
    access: "control",
    params: sessionId.extend({ promptId: z.string() }),
    result: z.object({ removed: z.boolean() }),
  }),
  "session/cancel": request({
    doc: "Stops the running turn of an agent and its subagents, except those in the background; the agent is then idle with stop reason `cancelled`. A second cancel stops those too.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: sessionId.extend({
      agentId: z.string().optional(),
      /** Stops only this turn: a late cancel does not stop the next one. */
      turnId: z.string().optional(),
    }),
    result: z.object({ cancelled: z.boolean(), turnId: z.string().optional() }),
  }),
  "tool_call/cancel": request({
    doc: "Stops one running tool call; its result tells the model so.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: sessionId.extend({ toolCallId: z.string() }),
    result: z.object({ cancelled: z.boolean() }),
  }),
  "session/shell": request({
    doc: "Runs the person's own command in the session's folder, without asking and outside the sandbox, and answers at once: its output comes as `tool_output_chunk`, its end as `tool_call_update`, and `tool_call/cancel` stops it. The model gets command and result with the next message, unless `share` is false.",
    lane: "session",
    idempotent: false,
    access: "control",
    params: sessionId.extend({
      command: z.string().min(1).max(100_000),
      share: z.boolean().default(true),
      /** Absent: it may take as long as it needs. */
      timeoutMs: z.number().int().min(1).max(86_400_000).optional(),
    }),
    result: z.object({ toolCallId: z.string() }),
  }),
  "session/compact": request({
    doc: "Summarises older messages now. `instructions` name the things that the summary must keep.",
    lane: "session",
    idempotent: false,
    access: "control",
    params: sessionId.extend({ instructions: z.string().optional() }),
    result: z.object({ tokensBefore: z.number(), tokensAfter: z.number() }),
  }),
};
