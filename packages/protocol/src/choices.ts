// Values that people may name, without the schemas: the command line reads them before anything else is loaded.

/** How much a model may think before it answers. A vendor with fewer levels gets the nearest (docs/providers.md). */
export const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** `off` was the earlier name of `none`; sessions and scripts still use it. */
export function effortOf(text: string): string {
  return text === "off" ? "none" : text;
}

/**
 * The purpose of an agent, which decides its tools: talk and the web (`casual`), reading and planning, reading and
 * research, or everything. The permission mode is a separate setting: it decides which calls are asked about.
 */
export const agentModes = ["casual", "planning", "research", "agent"] as const;
type AgentMode = (typeof agentModes)[number];

const aliases: Readonly<Record<string, AgentMode>> = { plan: "planning", dev: "agent", researching: "research" };

/** A mode by its name or an alias (`plan`, `dev`, `researching`), ignoring case. */
export function agentModeOf(text: string): AgentMode | undefined {
  const name = text.trim().toLowerCase();
  const known = agentModes.find((each) => each === name);
  return known ?? (Object.hasOwn(aliases, name) ? aliases[name] : undefined);
}

/**
 * Decides calls that no rule decides. `auto-in-sandbox` allows commands that the sandbox contains; `deny` never asks
 * and is the default if no client can answer. `review` collects edits beside the workspace until the user has gone
 * through them. Making a plan without changing anything is the agent mode `planning`.
 */
export const permissionModes = ["default", "review", "accept-edits", "auto-in-sandbox", "deny", "allow-all"] as const;
type PermissionMode = (typeof permissionModes)[number];

/** Once a permission mode; it now means the agent mode `planning` wherever a mode can be chosen. */
export const PLAN = "plan";
/** Names of older versions. `deny` allows no more than `plan` did. */
export const olderPermissionModes: Readonly<Record<"auto" | typeof PLAN, PermissionMode>> = {
  auto: "allow-all",
  [PLAN]: "deny",
};

/** A permission mode by its name, or by its name in older versions. */
export function parsePermissionMode(text: string): PermissionMode | undefined {
  const known = permissionModes.find((each) => each === text);
  return known ?? Object.entries(olderPermissionModes).find(([older]) => older === text)?.[1];
}

/**
 * The colours of the window. `auto` asks the terminal whether its background is dark or light; `terminal` uses its own
 * 16 colours.
 */
export const themeNames = [
  "auto",
  "dark",
  "light",
  "nord",
  "dracula",
  "gruvbox-dark",
  "gruvbox-light",
  "solarized-dark",
  "solarized-light",
  "catppuccin-mocha",
  "catppuccin-latte",
  "one-dark",
  "github-light",
  "high-contrast-dark",
  "high-contrast-light",
  "colour-blind-dark",
  "colour-blind-light",
  "terminal",
] as const;

/** The roles that the window has colours for, besides the tints of changed lines. */
export const colourRoles = [
  "muted",
  "accent",
  "user",
  "success",
  "warning",
  "error",
  "info",
  "border",
  "heading",
  "link",
  "code",
  "quote",
  "added",
  "removed",
  "hunk",
  "hidden",
  "syntaxKeyword",
  "syntaxString",
  "syntaxNumber",
  "syntaxComment",
  "syntaxFunction",
  "syntaxType",
  "syntaxVariable",
] as const;
export type ColourRole = (typeof colourRoles)[number];

/** The stages of a turn that hooks may join, in order. */
export const turnStages = ["start", "assemble", "send", "receive", "tool_exec", "tool_done", "error", "done"] as const;

/** All stages, including those that decide which sources there are, which model answers, and where a key comes from. */
export const hookStages = ["sources", "resolve", ...turnStages, "auth-set"] as const;

/** The kinds and languages that `harness plugin new` offers. */
export const pluginKinds = ["tool", "hook", "command", "provider"] as const;
export const pluginLanguages = ["sh", "python", "node"] as const;

/** Parts of the HUD that the user may hide. */
export const hudParts = [
  "branch",
  "changes",
  "agent-changes",
  "goal",
  "mode",
  "sandbox",
  "local-only",
  "pinned",
  "mcp",
  "indexing",
  "diagnostics",
  "cost",
  "cache",
  "queue",
  "agents",
  "model",
  "context",
] as const;
export type HudPartName = (typeof hudParts)[number];

/** The programs whose sessions can be imported from their usual places. */
export const importSources = ["claude", "codex", "pi", "gemini", "qwen", "chat"] as const;
export type ImportSourceName = (typeof importSources)[number];

/** The formats that sessions are exported to. */
export const exportFormats = ["md", "html", "json", "atif", "bundle"] as const;
export type ExportFormatName = (typeof exportFormats)[number];

/** How the name of an exported file ends. */
export const exportEndings: Readonly<Record<ExportFormatName, string>> = {
  md: ".md",
  html: ".html",
  json: ".json",
  atif: ".atif.json",
  bundle: ".harness.gz",
};
