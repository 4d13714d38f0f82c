/** A tool as rules know it. `subject`: what a rule about it may name in parentheses; absent: only the tool itself. */
export type RuleTool = { readonly name: string; readonly subject?: "argv" | "path" | "host" | "mcp" };
