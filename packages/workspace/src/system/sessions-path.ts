import { resolve } from "node:path";

type Machine = { cwd: string; env: Readonly<Record<string, string | undefined>> };

/** The folder of sessions that the environment names, from where harness was started; undefined: it names none. */
export function sessionsPath({ cwd, env }: Machine): string | undefined {
  return env.HARNESS_SESSIONS ? resolve(cwd, env.HARNESS_SESSIONS) : undefined;
}
