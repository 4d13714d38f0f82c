/** The kind of object that a git name refers to, with tags resolved. */
export type ObjectKind = "commit" | "tree" | "blob";

/**
 * `byName`: what each alias stands for, by its lower-case name; `corrects`: git runs a similar command for an unknown
 * one.
 */
export type GitAliases = Readonly<{ byName: Readonly<Record<string, string>>; corrects: boolean }>;

/**
 * Git's view of words in the repository that it finds from a folder. Nothing here rejects, and no program of a
 * repository runs.
 */
export interface Repositories {
  /** Undefined: nothing has this name, or it is unknown. */
  kindOf(folder: string, name: string): Promise<ObjectKind | undefined>;
  /** The aliases of the repository and of the user. Undefined: unknown. */
  aliases(folder: string): Promise<GitAliases | undefined>;
}

/** The same, limited to what was asked. */
export interface KnownRepositories {
  kindOf(folder: string, name: string): ObjectKind | undefined;
  aliases(folder: string): GitAliases | undefined;
}
