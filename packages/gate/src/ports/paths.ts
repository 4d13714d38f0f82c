import type { KnownRepositories, Repositories } from "./repositories.ts";

/** Paths as the operating system sees them. Nothing here rejects, and nothing holds up the process. */
export interface Paths {
  /** Resolves links of the deepest part that exists and keeps the rest. Absolute in, absolute out. */
  real(path: string): Promise<string> | string;
  /** The same for a path that can be looked at without waiting; undefined, or absent: `real` has to be asked. */
  realNow?(path: string): string | undefined;
  /** The person's home folder, absolute, as `~` stands for it. Absent: where `~` leads is not known. */
  readonly home?: string;
  /** Is something there? Absent: a folder is never known to be a git folder by what is in it. */
  exists?(path: string): Promise<boolean> | boolean;
  /**
   * Identifies a folder whatever it is called; undefined: it does not exist, or its identity is unknown. Absent: always
   * unknown.
   */
  identity?(path: string): Promise<string | undefined> | string | undefined;
  /** Absent: git is never asked. */
  readonly git?: Repositories;
}

/** The same as far as it was looked at. */
export interface KnownPaths {
  real(path: string): string;
  readonly home?: string;
  exists?(path: string): boolean;
  readonly git?: KnownRepositories;
  /** There are more than can be looked at: the answers are not to be relied on. */
  readonly isTooMany?: boolean;
}
