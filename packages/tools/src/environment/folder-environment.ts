/**
 * The variables that a folder adds to the environment of commands; null removes one. `withheld`: variables that look
 * like secrets; commands only get their names.
 */
export type FolderEnvironment = (
  cwd: string,
  signal: AbortSignal,
) => Promise<{
  variables: Readonly<Record<string, string | null>>;
  withheld: Readonly<Record<string, string>>;
}>;
