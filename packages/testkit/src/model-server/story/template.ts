import { lastToolResult, type ScriptedRequest } from "./conversation.ts";

type TemplateResult<Value> = { ok: true; value: Value } | { ok: false; problem: string };

/**
 * Fills `${name}` in every text of a value: a variable given at start, `${result}` (the last tool result) or
 * `${result:bash}` (the last one of that tool). `$${` is a literal `${`.
 */
export function fillVariables<Value>(
  value: Value,
  variables: Readonly<Record<string, string>>,
  conversation: ScriptedRequest,
): TemplateResult<Value> {
  const unknown = new Set<string>();
  const lookUp = (name: string): string | undefined => {
    if (name === "result") return lastToolResult(conversation);
    if (name.startsWith("result:")) return lastToolResult(conversation, name.slice("result:".length));
    return variables[name];
  };
  const fillText = (text: string): string =>
    text.replace(/\$\$\{|\$\{([^}]*)\}/g, (whole, name: string | undefined) => {
      if (name === undefined) return "${";
      const found = lookUp(name);
      if (found === undefined) unknown.add(whole);
      return found ?? whole;
    });
  const filled = mapTexts(value, fillText) as Value;
  if (unknown.size === 0) return { ok: true, value: filled };
  const names = [...unknown].join(", ");
  return {
    ok: false,
    problem: `The scenario uses ${names}, which is neither a variable of this server nor a tool result so far. Write $$\{ for a literal $\{.`,
  };
}

function mapTexts(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === "string") return value.includes("${") ? fill(value) : value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, fill));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, fill)]));
}
