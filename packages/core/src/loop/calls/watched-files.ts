import type { ToolOutcome } from "@harness/protocol";
import type { Tool } from "../../ports/tool.ts";
import type { Turn } from "../turn/turn.ts";

/**
 * The outcome of a call after the steps of extensions. Changes that they make to the call's files, as a formatter does,
 * count as part of the call: the model is informed and may continue from there.
 */
export async function watchingFiles(
  { callSteps, cwd }: Pick<Turn, "callSteps" | "cwd">,
  tool: Pick<Tool, "watch">,
  ran: ToolOutcome,
  steps: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const changed = (ran.files ?? []).filter(({ how }) => how === "changed");
  if (callSteps.afterRun.length === 0 || changed.length === 0 || !tool.watch) return await steps();
  const look = await tool.watch(changed, cwd);
  const outcome = await steps();
  const after = await look();
  if (!after) return outcome;
  const now = new Map(after.files.map((file) => [file.path, file]));
  return {
    ...outcome,
    text: `${outcome.text}\n${after.text}`,
    blocks: [...outcome.blocks, ...after.blocks],
    files: (outcome.files ?? []).map((file) => now.get(file.path) ?? file),
  };
}
