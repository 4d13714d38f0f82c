import { nearContext } from "@harness/host";
import type { Block } from "@harness/protocol";

/** Blocks for a question to the user, who must see all of them: without the context that a transcript can expand. */
export function previewBlocks(blocks: readonly Block[]): Block[] {
  return blocks.map((block) => (block.type === "diff" ? { ...block, hunks: nearContext(block.hunks) } : block));
}
