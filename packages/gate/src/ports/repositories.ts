/** The kind of object that a git name leads to, with tags followed to their ends. */
export type ObjectKind = "commit" | "tree" | "blob";

/** `byName`: what each alias stands for, by its name in small letters; `corrects`: git runs a command with a like name for an unknown one. */
export type GitAliases = Readonly<{ byName: Readonly<Record<string, string>>; corrects: boolean }>;

/**
 * Git's view of words as it finds a repository from a folder. Nothing here rejects, and no program of a repository
 * runs.
 */
export interface Repositories {
  /** Undefined: nothing has this name, or it is unknown. */
  kindOf(folder: string, name: string): Promise<ObjectKind | undefined>;
  /** The aliases of the repository and of the person. Undefined: unknown. */
  aliases(folder: string): Promise<GitAliases | undefined>;
}

/** The same as far as it was asked. */
export interface KnownRepositories {
  kindOf(folder: string, name: string): ObjectKind | undefined;
  aliases(folder: string): GitAliases | undefined;
}
