import type { KnownRepositories, Repositories } from "./repositories.ts";

/** Paths as the operating system sees them. Nothing here rejects or blocks the process. */
export interface Paths {
  /** Resolves links in the deepest existing part and keeps the rest. Absolute in, absolute out. */
  real(path: string): Promise<string> | string;
  /** The same for a path that can be resolved without waiting; undefined or absent: `real` must be asked. */
  realNow?(path: string): string | undefined;
  /** The absolute home folder that `~` stands for. Absent: unknown. */
  readonly home?: string;
  /** True if something exists there. Absent: no folder is ever recognised as a git folder by its contents. */
  exists?(path: string): Promise<boolean> | boolean;
  /**
   * Identifies a folder whatever its name; undefined: it does not exist, or its identity is unknown. Absent: always
   * unknown.
   */
  identity?(path: string): Promise<string | undefined> | string | undefined;
  /** Absent: git is never asked. */
  readonly git?: Repositories;
}

/** The same, limited to what was looked up. */
export interface KnownPaths {
  real(path: string): string;
  readonly home?: string;
  exists?(path: string): boolean;
  readonly git?: KnownRepositories;
  /** True if there were too many to look up, so that the answers are unreliable. */
  readonly isTooMany?: boolean;
}
