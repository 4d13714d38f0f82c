import * as z from "zod";
import { ContextReport } from "../vocabulary/context-report.ts";
import { RequestReport } from "../vocabulary/request-report.ts";
import { request } from "./table.ts";

/**
 * A message, a reply, a result or a summary in the log of a session; `session/history` returns it in full, by its
 * `seq`.
 */
const PastItem = z.object({
  seq: z.number(),
  at: z.string(),
  agentId: z.string(),
  /** `person`: from the user; `message`: from another agent, or of harness itself. */
  kind: z.enum(["person", "agent", "message", "result", "summary"]),
  /** The tool of a result. */
  name: z.string().optional(),
  /** Its length in characters. */
  chars: z.number(),
  /** The part of it that matches a query, otherwise its beginning. */
  excerpt: z.string(),
});
export type PastItem = z.infer<typeof PastItem>;

const agentOfSession = z.object({ sessionId: z.string(), agentId: z.string().optional() });
const limit = z.number().int().min(1).max(500);

export const contextMethods = {
  "session/context": request({
    doc: "What fills an agent's context window, in tokens by section; where its size comes from; and what could be dropped, with the tokens that would save.",
    lane: "free",
    idempotent: true,
    access: "read",
    /** Without `agentId` the main agent. */
    params: z.object({ sessionId: z.string(), agentId: z.string().optional() }),
    result: ContextReport,
  }),
  "session/request": request({
    doc: "The last request of an agent as it was sent, without known secrets and pictures: whole, in tokens by section, and how it differs from the one before. Kept in memory only: `not_found` before the first one since the session was opened.",
    lane: "free",
    idempotent: true,
    access: "read",
    /** Without `agentId` the main agent. */
    params: agentOfSession,
    result: RequestReport,
  }),
  "session/brief": request({
    doc: "Has the model write a brief of the conversation for a new session, `purpose`: what that is for. The conversation stays as it is.",
    lane: "session",
    idempotent: false,
    access: "control",
    params: z.object({ sessionId: z.string(), purpose: z.string().default("") }),
    result: z.object({ text: z.string() }),
  }),
  "session/compaction": request({
    doc: "What a compaction replaced and what it kept: the entries that requests contained before it but not after it, in order, and those that stayed. The log keeps all of them.",
    lane: "free",
    idempotent: true,
    access: "read",
    /**
     * Without `compactionId` the last one; without `agentId` that of the main agent. `offset` and `limit` page through
     * what was removed.
     */
    params: agentOfSession.extend({
      compactionId: z.string().optional(),
      offset: z.number().int().min(0).default(0),
      limit: limit.default(100),
    }),
    result: z.object({
      seq: z.number(),
      at: z.string(),
      compactionId: z.string(),
      summary: z.string(),
      tokensBefore: z.number(),
      tokensAfter: z.number(),
      left: z.object({ items: z.array(PastItem), count: z.number(), chars: z.number() }),
      /** Of these, results among the first `shortened` messages are sent shortened. */
      stayed: z.object({ count: z.number(), chars: z.number(), shortened: z.number() }),
    }),
  }),
  "session/recall": request({
    doc: "Full-text search in the log of a session: messages, replies, results and summaries, whether or not requests still contain them; best match first.",
    lane: "free",
    idempotent: true,
    access: "read",
    /** Without `agentId` all agents. */
    params: agentOfSession.extend({ query: z.string().min(1).max(1_000), limit: limit.default(20) }),
    result: z.object({ items: z.array(PastItem), count: z.number() }),
  }),
};
