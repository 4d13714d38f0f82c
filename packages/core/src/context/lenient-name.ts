const PREFIX = /^(?:functions?|tools?)[./:_]/i;

/** Removes the `functions.` prefix that models add to tool names. */
export function unprefixed(name: string): string {
  return name.replace(PREFIX, "");
}

/** The name without prefix, case and separators, so that different spellings compare equal. */
export function lenientName(name: string): string {
  return unprefixed(name)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
