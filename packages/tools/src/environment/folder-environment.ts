/**
 * The variables that a folder adds to the environment of commands; null: they do not get it. `withheld`: variables that
 * look like secrets; commands get only their names.
 */
export type FolderEnvironment = (
  cwd: string,
  signal: AbortSignal,
) => Promise<{
  variables: Readonly<Record<string, string | null>>;
  withheld: Readonly<Record<string, string>>;
}>;
