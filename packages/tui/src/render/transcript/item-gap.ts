import type { AgentState } from "@harness/protocol";

type Items = {
  readonly items: AgentState["items"];
  /** Output of running calls. */
  readonly output: Pick<ReadonlyMap<string, string>, "has">;
};

/**
 * An empty row above an item, except between calls without output and between repairs. `isUnseen` is asked about items
 * before it.
 */
export function gapAbove(index: number, { items, output }: Items, isUnseen: (at: number) => boolean): 0 | 1 {
  let before = index - 1;
  while (before >= 0 && isUnseen(before)) before -= 1;
  if (before < 0) return 0;
  const [above, item] = [items[before], items[index]];
  const isLine = above?.kind === "repair" || (above?.kind === "tool" && !above.outcome && !output.has(above.id));
  return isLine && (item?.kind === "tool" || item?.kind === "repair") ? 0 : 1;
}
