/** Text that would read as another kind of value, or whose ends could not be seen. */
const LOOKS_OTHERWISE = /^$|^\s|\s$|^["{[]|^(?:true|false|null|-?\d[\d.eE+-]*)$/;

/**
 * The arguments of a call for people: `key: value`, one a line. Lines of a longer text are indented under their key, so
 * that none of them looks like a key.
 */
export function argumentLines(args: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(args).flatMap(([key, value]) => {
    const name = /^[\w.-]+$/.test(key) ? key : JSON.stringify(key);
    if (typeof value !== "string") return [`${name}: ${JSON.stringify(value)}`];
    if (value.includes("\n")) return [`${name}:`, ...value.split("\n").map((line) => `  ${line}`)];
    return [`${name}: ${LOOKS_OTHERWISE.test(value) ? JSON.stringify(value) : value}`];
  });
}
