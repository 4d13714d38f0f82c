/** Environment variables, including those from `.env` files. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The value of a variable; an empty one counts as not set. */
export function envValue(env: Env, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}
