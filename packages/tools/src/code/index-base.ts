import type { CodeSearch, ToolApproval, ToolContext } from "@harness/core";
import { isWithin } from "@harness/gate";
import { searchBase } from "../search/search-base.ts";

/**
 * The real path that a search of the index is about, or a problem. `base`: the path that was approved. The working
 * folder of an agent may be a worktree, whose files no index has.
 */
export async function indexBase(
  base: string,
  code: CodeSearch,
  { context: { cwd }, approval: { realPaths } }: { context: ToolContext; approval: ToolApproval },
): Promise<{ real: string } | { problem: string }> {
  const found = await searchBase(base, { cwd, realPaths });
  if ("problem" in found || base !== cwd || isWithin(found.real, code.folder)) return found;
  return { problem: `The index has the files of ${code.folder}, not of this folder: use grep.` };
}
