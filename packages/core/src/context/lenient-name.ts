const PREFIX = /^(?:functions?|tools?)[./:_]/i;

/** A tool's name without the `functions.` that models put before it. */
export function unprefixed(name: string): string {
  return name.replace(PREFIX, "");
}

/** The same without case and separators: what two spellings of one name have in common. */
export function lenientName(name: string): string {
  return unprefixed(name)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
