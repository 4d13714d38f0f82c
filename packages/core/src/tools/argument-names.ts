/** The arguments of a call as a model wrote them. */
export type Input = Record<string, unknown>;

/**
 * Renames arguments. If two spellings of one argument have different values, both stay: it is unknown which one is
 * meant.
 */
export function renamed(input: Input, names: Readonly<Record<string, readonly string[]>>): Input {
  const output = { ...input };
  for (const [name, others] of Object.entries(names)) {
    for (const other of others) {
      if (!Object.hasOwn(output, other)) continue;
      if (output[name] !== undefined && output[other] !== output[name]) continue;
      output[name] = output[other];
      delete output[other];
    }
  }
  return output;
}

export function without(input: Input, ...names: string[]): Input {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
}

export function isInput(value: unknown): value is Input {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as a list, even if it was written as text. */
export function listIn(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
