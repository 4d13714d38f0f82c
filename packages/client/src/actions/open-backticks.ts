/** The backticks that a text leaves open; undefined: all are closed. */
export function openBackticks(text: string): "`" | "```" | undefined {
  const parts = text.split("```");
  if (parts.length % 2 === 0) return "```";
  // Text between fences is code and may contain single backticks.
  const outside = parts.filter((_, at) => at % 2 === 0).join("");
  return (outside.split("`").length - 1) % 2 === 0 ? undefined : "`";
}
