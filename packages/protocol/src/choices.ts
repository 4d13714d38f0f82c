// Values that a person may name, without the schemas: the command line reads them before anything else is loaded.

/** How much a model may think before it answers. A vendor with fewer levels gets the nearest (docs/providers.md). */
export const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** `off` is what `none` was called before; sessions and scripts still say it. */
export function effortOf(text: string): string {
  return text === "off" ? "none" : text;
}

/**
 * The purpose of an agent, which decides its tools: talk and the web (`casual`), reading and planning, reading and
 * research, or everything. The permission mode is a separate setting: it decides which calls are asked about.
 */
export const agentModes = ["casual", "planning", "research", "agent"] as const;
export type AgentMode = (typeof agentModes)[number];

const aliases: Readonly<Record<string, AgentMode>> = { plan: "planning", dev: "agent", researching: "research" };

/** A mode by its name or an alias (`plan`, `dev`, `researching`), in any case of letters. */
export function agentModeOf(text: string): AgentMode | undefined {
  const name = text.trim().toLowerCase();
  const known = agentModes.find((each) => each === name);
  return known ?? (Object.hasOwn(aliases, name) ? aliases[name] : undefined);
}

/**
 * Decides calls that no rule decides. `plan` denies every change; `auto-in-sandbox` allows commands that the sandbox
 * contains; `deny` never asks and is the default where no client can answer.
 */
export const permissionModes = ["default", "accept-edits", "plan", "auto-in-sandbox", "deny", "auto"] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** The colours of the window. `auto` asks the terminal whether its ground is dark or light; `terminal` uses its own 16 colours. */
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
