import * as z from "zod";
import { AgentActivity } from "../vocabulary/agent-activity.ts";
import { notification, request } from "./table.ts";

export const PROTOCOL_VERSION = "1";

/** A session in the memory of a server. */
export const HeldSession = z.object({
  sessionId: z.string(),
  cwd: z.string(),
  title: z.string().optional(),
  /** The start of its first message. */
  preview: z.string(),
  state: AgentActivity,
  agentsRunning: z.number(),
  /** The titles of its open permission requests, then its open questions; a line each. */
  asks: z.array(z.string()),
  /** How many clients follow it. */
  clients: z.number(),
});
export type HeldSession = z.infer<typeof HeldSession>;

export const lifecycleMethods = {
  initialize: request({
    doc: "Must be the first request, and come once: agrees on the version and exchanges capabilities.",
    lane: "free",
    idempotent: false,
    access: "read",
    params: z.object({
      protocolVersions: z.array(z.string()).min(1),
      clientInfo: z.object({ name: z.string(), version: z.string(), title: z.string().optional() }),
      role: z.enum(["controller", "observer"]).default("controller"),
      capabilities: z
        .object({
          /** Without it the client is never asked: calls that the session's rules do not allow are denied. */
          permission: z.object({}).optional(),
          elicitation: z.object({}).optional(),
          /** Its person has files open: it gives their text, takes a new one, or both. */
          buffers: z.object({ read: z.literal(true).optional(), write: z.literal(true).optional() }).optional(),
          updates: z.object({ optOut: z.array(z.string()).optional() }).optional(),
        })
        .default({}),
    }),
    result: z.object({
      protocol: z.literal("harness"),
      protocolVersion: z.string(),
      /** `cwd`: the folder that it was started in. */
      serverInfo: z.object({ name: z.string(), version: z.string(), pid: z.number(), cwd: z.string().optional() }),
      /** New with every start of the server. */
      serverInstanceId: z.string(),
      capabilities: z.record(z.string(), z.object({})),
      limits: z.object({ maxMessageBytes: z.number(), maxInFlight: z.number() }),
    }),
  }),
  shutdown: request({
    doc: "Ends turns and tools, stores everything and answers; then the client closes the stream or sends `exit`. `unlessShared`: only if no other client follows a session, and the server was not told to go on (`session/keep`); otherwise it `stays`.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({ unlessShared: z.boolean().optional() }),
    result: z.object({ stays: z.literal(true).optional() }),
  }),
  "server/status": request({
    doc: "The state of the server.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({}),
    result: z.object({
      pid: z.number(),
      uptimeMs: z.number(),
      connections: z.number(),
      sessions: z.array(HeldSession),
      memoryBytes: z.number(),
    }),
  }),
};

export const lifecycleNotifications = {
  exit: notification({ doc: "The server process ends now.", params: z.object({}) }),
};

export const lagNotifications = {
  "server/lagged": notification({
    doc: "This client reads too slowly: chunks were dropped, but no facts. Resume after `seq` to get the text that is streaming now.",
    params: z.object({ droppedChunks: z.number() }),
  }),
};
