type DeclaredArguments = readonly { name: string; required: boolean }[];

/**
 * The arguments of a prompt as people type them: `name=value`, or values in the declared order; the last one takes the
 * rest of the line. Quotes keep a value together.
 */
export function promptArguments(
  declared: DeclaredArguments,
  typed: string,
): { values: Record<string, string> } | { missing: string[] } {
  const values: Record<string, string> = {};
  const words = [...typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([whole, double, single]) => double ?? single ?? whole,
  );
  const loose: string[] = [];
  for (const word of words) {
    const [, name = "", value = ""] = /^([^=\s]+)=(.*)$/s.exec(word) ?? [];
    if (declared.some((each) => each.name === name)) values[name] = value.replace(/^(["'])(.*)\1$/s, "$2");
    else loose.push(word);
  }
  const open = declared.filter(({ name }) => !Object.hasOwn(values, name));
  open.forEach(({ name }, at) => {
    const isLast = at === open.length - 1;
    const value = isLast ? loose.slice(at).join(" ") : loose[at];
    if (value) values[name] = value;
  });
  const missing = declared
    .filter(({ name, required }) => required && !Object.hasOwn(values, name))
    .map(({ name }) => name);
  return missing.length > 0 ? { missing } : { values };
}
