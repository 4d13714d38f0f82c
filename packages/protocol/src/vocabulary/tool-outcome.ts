import * as z from "zod";
import { Block } from "./blocks.ts";
import { SeenFile } from "./files/seen-file.ts";
import { Content } from "./message.ts";

/**
 * How a call ended. The model reads `text`, which is never empty; people see `blocks`.
 * `interrupted`: the process ended meanwhile, and it is unknown whether the call took effect.
 */
export const ToolOutcome = z.object({
  status: z.enum(["ok", "error", "invalid", "unknown_tool", "denied", "cancelled", "interrupted"]),
  text: z.string(),
  blocks: z.array(Block),
  images: z.array(Content).optional(),
  /** Files that it has read or changed; absent if there are none, or an older version wrote it. */
  files: z.array(SeenFile).optional(),
  durationMs: z.number(),
});
export type ToolOutcome = z.infer<typeof ToolOutcome>;

export const ToolStatus = z.enum(["pending", "in_progress", "completed", "failed"]);

/** Blocks to draw for a call that has ended; its text if the tool returned no blocks. */
export function blocksOf(outcome: ToolOutcome): Block[] {
  return outcome.blocks.length > 0 ? outcome.blocks : [{ type: "text", text: outcome.text }];
}
