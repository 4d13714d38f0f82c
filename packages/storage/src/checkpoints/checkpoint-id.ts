/** The states of files that a checkpoint consists of: the tree of each store. */
export function treesIn(checkpointId: string): Map<string, string> {
  const parts = checkpointId.matchAll(/([0-9a-f]{12})-([0-9a-f]{40})/g);
  return new Map([...parts].map((part) => [part[1] ?? "", part[2] ?? ""]));
}
