import * as z from "zod";

/** A part of a request by what it is for. Tokens are an estimate from its characters. */
export const RequestSection = z.object({
  section: z.enum(["options", "system", "tools", "conversation", "tool_results"]),
  tokens: z.number(),
  /** Of how many pieces it is made. */
  parts: z.number(),
  /** The largest of them. */
  items: z.array(z.object({ name: z.string(), tokens: z.number() })),
});
export type RequestSection = z.infer<typeof RequestSection>;

/** The last request of an agent as it was sent, without known secrets and pictures. */
export const RequestReport = z.object({
  at: z.string(),
  agentId: z.string(),
  provider: z.string(),
  model: z.string(),
  address: z.string(),
  /** To the byte, but for secrets and pictures. */
  body: z.string(),
  /** The same for reading. */
  text: z.string(),
  tokens: z.number(),
  sections: z.array(RequestSection),
  /** From the request before it; absent: there was none, or it was too large to be kept. */
  difference: z
    .object({
      at: z.string(),
      /** So many pieces from the beginning on are the same, of all: what caches of servers can reuse. */
      sameParts: z.number(),
      sameTokens: z.number(),
      parts: z.number(),
      /** Of `text`, behind what is the same: a unified diff without file headers. */
      hunks: z.string(),
      added: z.number(),
      removed: z.number(),
    })
    .optional(),
});
export type RequestReport = z.infer<typeof RequestReport>;
