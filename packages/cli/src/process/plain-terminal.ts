/** The terminal can only print: it moves no cursor. */
export function isDumb({ TERM }: NodeJS.ProcessEnv): boolean {
  return TERM === "dumb";
}

/** A terminal that cannot move its cursor, and a screen reader, get plain lines in place of a window. */
export function needsLines(env: NodeJS.ProcessEnv): boolean {
  const { INK_SCREEN_READER, ACCESSIBLE = "" } = env;
  return isDumb(env) || INK_SCREEN_READER === "true" || !["", "0", "false"].includes(ACCESSIBLE.toLowerCase());
}
