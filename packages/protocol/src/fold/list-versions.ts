/** The versions of a list, by the fact that changed it, oldest first. */
export type ListVersions<T> = { seq: number; list: readonly T[] }[];

export function newest<T>(versions: ListVersions<T>): readonly T[] {
  return versions.at(-1)?.list ?? [];
}

/** Removes and returns the versions from this fact on: the agent no longer knows about them. */
export function hideVersions<T>(
  versions: ListVersions<T>,
  fromSeq: number,
): { kept: ListVersions<T>; hidden: ListVersions<T> } {
  return {
    kept: versions.filter(({ seq }) => seq < fromSeq),
    hidden: versions.filter(({ seq }) => seq >= fromSeq),
  };
}

/** Adds versions that were hidden. */
export function showVersions<T>(versions: ListVersions<T>, hidden: ListVersions<T>): ListVersions<T> {
  return [...versions, ...hidden].sort((a, b) => a.seq - b.seq);
}
