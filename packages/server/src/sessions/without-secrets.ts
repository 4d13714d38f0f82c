import type { Tool, ToolTable } from "@harness/core";
import { createRedactor, type Secret } from "@harness/storage";

type Redact = (text: string) => string;

/**
 * The same tools, whose results do not hold the keys that this process knows: neither the model, nor a client, nor the
 * log is told them. What a person must judge (arguments, previews) is left as it is.
 */
export function withoutSecrets(table: ToolTable, redact: Redact): ToolTable {
  const tools = table.tools.map(
    (tool): Tool => ({
      ...tool,
      async run(args, context) {
        const result = await tool.run(args, { ...context, emit: (text) => context.emit(redact(text)) });
        return { ...result, text: redact(result.text), blocks: redactAll(result.blocks, redact) };
      },
    }),
  );
  return { ...table, tools };
}

/** A redactor that is made anew when the keys are others than before. */
export function redactorOf<K extends object>(keys: () => K, secretsOf: (keys: K) => Secret[]): Redact {
  let made: { keys: K; redact: Redact } | undefined;
  return (text) => {
    const now = keys();
    if (made?.keys !== now) made = { keys: now, redact: createRedactor(secretsOf(now)) };
    return made.redact(text);
  };
}

/** Every text in a value of JSON; the value itself when nothing was found. */
function redactAll<T>(value: T, redact: Redact): T {
  const text = JSON.stringify(value);
  const clean = redact(text);
  return clean === text ? value : (JSON.parse(clean) as T);
}
