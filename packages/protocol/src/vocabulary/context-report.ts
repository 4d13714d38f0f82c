import * as z from "zod";

/** Where the size of a context window comes from: a setting, the server's answer, a table, or only a guess. */
export const ContextWindowSource = z.enum(["setting", "server", "table", "assumed"]);
export type ContextWindowSource = z.infer<typeof ContextWindowSource>;

/** The parts of a request, in the order in which they are sent. */
export const ContextSectionName = z.enum([
  "system",
  "prompt_fragments",
  "workspace",
  "repository_map",
  "instruction_files",
  "pinned_files",
  "skills",
  "tools",
  "conversation",
  "tool_results",
  "volatile",
]);
export type ContextSectionName = z.infer<typeof ContextSectionName>;

/** A named part of a section, such as a file or a tool. */
const ContextItem = z.object({ name: z.string(), tokens: z.number() });

export const ContextSection = z.object({
  section: ContextSectionName,
  tokens: z.number(),
  /** The largest first; absent if the section has no named parts. */
  items: z.array(ContextItem).optional(),
});
export type ContextSection = z.infer<typeof ContextSection>;

/**
 * Content that could leave the next requests, and the tokens it would save. `repeated_results`: made useless by later
 * results, such as a file that was read twice. `old_results`: long ones, and images of old turns.
 */
export const DroppablePart = z.object({
  kind: z.enum(["repeated_results", "old_results", "instruction_file", "pinned_file", "unused_tools"]),
  /** Its description for people. */
  title: z.string(),
  tokens: z.number(),
  /** How to remove it from the requests, as a sentence. */
  advice: z.string(),
  items: z.array(ContextItem),
});
export type DroppablePart = z.infer<typeof DroppablePart>;

/** How full the usable part is: `warn` from 70 %, `critical` from 90 %. */
export const Pressure = z.enum(["none", "warn", "critical"]);
export type Pressure = z.infer<typeof Pressure>;

/** The contents of an agent's context window. */
export const ContextReport = z.object({
  agentId: z.string(),
  provider: z.string(),
  model: z.string(),
  /** Tokens of the next request, as far as known; the sum of the sections. */
  usedTokens: z.number(),
  /**
   * True if it is the provider's count of the last request, plus an estimate of additions; false if it is only an
   * estimate.
   */
  isCounted: z.boolean(),
  windowTokens: z.number(),
  windowSource: ContextWindowSource,
  /** The part of the window that a request may fill; the rest is left for the reply. */
  usableTokens: z.number(),
  pressure: Pressure,
  /** From this number of tokens on, old results are shortened; absent: never. */
  shrinkTokens: z.number().optional(),
  /** From this number of tokens on, older messages are summarised; absent: only at the user's request. */
  compactTokens: z.number().optional(),
  sections: z.array(ContextSection),
  droppable: z.array(DroppablePart),
  /** The server read only part of the last prompt. */
  truncated: z.object({ sentTokens: z.number(), readTokens: z.number() }).optional(),
});
export type ContextReport = z.infer<typeof ContextReport>;
