/** True if the terminal can only print and cannot move its cursor. */
export function isDumb({ TERM }: NodeJS.ProcessEnv): boolean {
  return TERM === "dumb";
}

/**
 * True for a terminal that cannot move its cursor, and for a screen reader: they get plain lines instead of a window.
 */
export function needsLines(env: NodeJS.ProcessEnv): boolean {
  const { INK_SCREEN_READER, ACCESSIBLE = "" } = env;
  return isDumb(env) || INK_SCREEN_READER === "true" || !["", "0", "false"].includes(ACCESSIBLE.toLowerCase());
}
