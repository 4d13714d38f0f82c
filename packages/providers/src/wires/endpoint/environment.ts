/** Variables of the environment, with what `.env` files add to them. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The value of a variable. One that is set to nothing counts as not set. */
export function envValue(env: Env, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}
