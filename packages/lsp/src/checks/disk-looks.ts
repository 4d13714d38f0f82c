/** A file that has changed on disk, whoever did it; absolute. */
export type NotedChange = { readonly path: string; readonly how: "created" | "changed" | "removed" };

/** Looks at the disk, so that servers hear of what they cannot see. */
export interface DiskLooks {
  /** The changes in a folder since it was last asked; none the first time. Bounded in time and number. Never rejects. */
  since(cwd: string): Promise<readonly NotedChange[]>;
}
