import type { Effect } from "@harness/protocol";

/** The name in rules for every tool of every MCP server. */
export const MCP = "mcp";

type McpEffect = Extract<Effect, { kind: "mcp" }>;

/**
 * True for the name of an MCP tool, of all tools of a server, or of all MCP tools. It does not matter if a server runs.
 */
export function isMcpName(name: string): boolean {
  return name.toLowerCase() === MCP || /^mcp__[a-z0-9_-]+(?:__\*)?$/i.test(name);
}

/**
 * True if the name in a rule matches the tool. `mcp` matches all, `mcp__server` and `mcp__server__*` the tools of one
 * server. In lower case.
 */
export function namesMcpTool(rule: string, tool: string): boolean {
  if (!tool.startsWith("mcp__")) return false;
  return rule === MCP || (rule.startsWith("mcp__") && tool.startsWith(`${rule.replace(/__\*$/, "")}__`));
}

/** A tool as lists know it; `mcp`: the name that its server uses. */
type ListedTool = { readonly name: string; readonly mcp?: Pick<McpEffect, "server" | "tool"> | undefined };

/**
 * The MCP tools that a name in a list of tools stands for: `mcp__server__tool`, `mcp__server__*`, `mcp__server`,
 * `mcp(server/tool)`, `mcp(server/*)` or `mcp`, in any letter case. Undefined: it is the name of a different tool.
 */
export function mcpToolsNamed(listed: string): ((tool: ListedTool) => boolean) | undefined {
  const name = listed.trim().toLowerCase();
  if (name.startsWith("mcp__")) {
    return (tool) => isLike(name, tool.name.toLowerCase()) || namesMcpTool(name, tool.name.toLowerCase());
  }
  const [whole, pattern = "*"] = /^mcp(?:\((.*)\))?$/s.exec(name) ?? [];
  if (whole === undefined) return undefined;
  return ({ mcp }) => mcp !== undefined && matchesMcp(pattern.trim(), mcp, "deny");
}

/** Why `server/tool` would never match, as the end of a sentence; undefined: it can. */
export function mcpIssue(pattern: string): string | undefined {
  const { server, tool } = partsOf(pattern);
  if (server !== "" && tool !== "" && !/\s/.test(server)) return undefined;
  return "names no tool of an MCP server: write `mcp(server/tool)`, or `mcp(server/*)` for all of its tools";
}

/**
 * `server/tool`, each with `*` for any characters; a server alone means all of its tools. Denials match in any letter
 * case.
 */
export function matchesMcp(
  pattern: string,
  { server, tool }: Pick<McpEffect, "server" | "tool">,
  reading: "allow" | "deny",
): boolean {
  const parts = partsOf(pattern);
  const same = (text: string) => (reading === "deny" ? text.toLowerCase() : text);
  return isLike(same(parts.server), same(server)) && isLike(same(parts.tool), same(tool));
}

/** The rule for exactly this tool; undefined if its name could be read as a pattern. */
export function mcpPatternFor({ server, tool }: Pick<McpEffect, "server" | "tool">): string | undefined {
  return /^[\w.@-]+$/.test(server) && /^[\w./@-]+$/.test(tool) ? `${server}/${tool}` : undefined;
}

function partsOf(pattern: string): { server: string; tool: string } {
  const at = pattern.indexOf("/");
  return at < 0 ? { server: pattern, tool: "*" } : { server: pattern.slice(0, at), tool: pattern.slice(at + 1) };
}

function isLike(pattern: string, text: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const each of others) {
    const found = text.indexOf(each, at);
    if (found < 0 || found + each.length > end) return false;
    at = found + each.length;
  }
  return true;
}
