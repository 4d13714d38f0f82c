import { dirname } from "node:path";
import type { TrustItem } from "@harness/protocol";

/** The names to examine in each folder from the root of a repository downward. */
export const trustNames = [
  ".env",
  ".harness",
  ".mcp.json",
  ".vscode/mcp.json",
  ".cursor/mcp.json",
  ".gemini/settings.json",
  ".tinyharness/config.json",
  ".tinyharness/skills",
  ".agents/skills",
  ".claude/agents",
  ".claude/commands",
  ".claude/hooks",
  ".claude/skills",
  ".claude/settings.json",
  ".claude/settings.local.json",
] as const;

const kinds: Readonly<Record<string, TrustItem["kind"]>> = {
  "settings.json": "settings",
  "policies.json": "policies",
  "mcp.json": "mcp",
  "hooks.d": "hook",
  "hooks.json": "hook",
  tools: "tool",
  commands: "command",
  providers: "provider",
  prompts: "prompt",
  skills: "skill",
  agents: "agent",
};

const mcpFiles = [".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", ".gemini/settings.json"];

/** The purpose of a file. `path` starts at the folder that it belongs to: `.harness/hooks.d/send/10-x`. */
export function trustKind(path: string): TrustItem["kind"] {
  if (path === ".env") return "environment";
  if (mcpFiles.includes(path)) return "mcp";
  if (path === ".tinyharness/config.json") return "settings";
  if (isClaudeSettings(path) || path.startsWith(".claude/hooks/")) return "hook";
  const [, ...inner] = path.split("/");
  // A plugin has the same structure as the folder that contains it.
  while (inner[0] === "plugins" && inner.length > 2) inner.splice(0, 2);
  const [name = ""] = inner;
  return Object.hasOwn(kinds, name) ? (kinds[name] ?? "other") : "other";
}

/** Only their hooks and MCP servers are used. */
export function isClaudeSettings(path: string): boolean {
  return path === ".claude/settings.json" || path === ".claude/settings.local.json";
}

/** It names language servers, and so programs. */
export function isLanguageServers(path: string): boolean {
  return path.startsWith(".harness/") && path.endsWith("/lsp.json");
}

/** Only their MCP servers are used. */
export function isGeminiSettings(path: string): boolean {
  return path === ".gemini/settings.json";
}

/** A path relative to the folder that the file belongs to; both are given relative to the root. */
export function withoutFolder({ folder, path }: { folder: string; path: string }): string {
  return folder === "" ? path : path.slice(folder.length + 1);
}

const HOLDERS = [".harness", ".tinyharness", ".claude", ".agents", ".vscode", ".cursor", ".gemini"];

/**
 * The folder that a file belongs to: the one that contains `.harness` or the like, otherwise the file's own. Absolute.
 */
export function holderOf(file: string): string {
  const names = file.split("/");
  const at = Math.max(...HOLDERS.map((name) => names.lastIndexOf(name)));
  return at > 0 ? names.slice(0, at).join("/") || "/" : dirname(file);
}
