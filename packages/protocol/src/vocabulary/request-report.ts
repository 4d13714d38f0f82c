import * as z from "zod";

/** A part of a request by its purpose. Tokens are estimated from its characters. */
export const RequestSection = z.object({
  section: z.enum(["options", "system", "tools", "conversation", "tool_results"]),
  tokens: z.number(),
  /** The number of pieces in it. */
  parts: z.number(),
  /** The largest of them. */
  items: z.array(z.object({ name: z.string(), tokens: z.number() })),
});
export type RequestSection = z.infer<typeof RequestSection>;

/** The last request of an agent as it was sent, without known secrets and images. */
export const RequestReport = z.object({
  at: z.string(),
  agentId: z.string(),
  provider: z.string(),
  model: z.string(),
  address: z.string(),
  /** Exact to the byte, except for secrets and images. */
  body: z.string(),
  /** The same in readable form. */
  text: z.string(),
  tokens: z.number(),
  sections: z.array(RequestSection),
  /** The difference to the previous request; absent if there was none, or it was too large to be kept. */
  difference: z
    .object({
      at: z.string(),
      /** How many pieces at the beginning are the same: servers' caches can reuse them. */
      sameParts: z.number(),
      sameTokens: z.number(),
      parts: z.number(),
      /** The changes in `text` after the common beginning: a unified diff without file headers. */
      hunks: z.string(),
      added: z.number(),
      removed: z.number(),
    })
    .optional(),
});
export type RequestReport = z.infer<typeof RequestReport>;
