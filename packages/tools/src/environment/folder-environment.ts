/**
 * The variables that a folder adds to the environment of commands; null: they do not get it. `withheld`: those that look like
 * secrets, of which commands are told nothing but the names.
 */
export type FolderEnvironment = (
  cwd: string,
  signal: AbortSignal,
) => Promise<{
  variables: Readonly<Record<string, string | null>>;
  withheld: Readonly<Record<string, string>>;
}>;
