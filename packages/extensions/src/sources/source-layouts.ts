import type { EntryKind, Source } from "./source.ts";

/**
 * How a kind is laid out in a source: programs in a folder; programs in a folder for each stage; Markdown files; those
 * and programs, also in sub-folders; folders with a SKILL.md; one file; settings that may name MCP servers among other
 * things.
 */
export type KindLayout = {
  kind: EntryKind;
  path: string;
  form: "programs" | "stages" | "markdown" | "command-tree" | "skill-folders" | "file" | "servers-in-settings";
};

const skills = { kind: "skill", path: "skills", form: "skill-folders" } as const;
const agents = { kind: "agent", path: "agents", form: "markdown" } as const;
const commands = { kind: "command", path: "commands", form: "command-tree" } as const;

/** The parts of a source that are read, by the program whose folder it is. */
export const sourceLayouts: Readonly<Record<Source["layout"], readonly KindLayout[]>> = {
  harness: [
    { kind: "tool", path: "tools", form: "programs" },
    commands,
    { kind: "hook", path: "hooks.d", form: "stages" },
    { kind: "hook-file", path: "hooks.json", form: "file" },
    { kind: "provider", path: "providers", form: "programs" },
    { kind: "prompt", path: "prompts", form: "markdown" },
    skills,
    agents,
    { kind: "mcp", path: "mcp.json", form: "file" },
    { kind: "lsp", path: "lsp.json", form: "file" },
    { kind: "settings", path: "settings.json", form: "file" },
  ],
  claude: [
    commands,
    skills,
    agents,
    { kind: "hook-file", path: "settings.json", form: "file" },
    { kind: "hook-file", path: "settings.local.json", form: "file" },
    { kind: "mcp", path: "settings.json", form: "servers-in-settings" },
    { kind: "mcp", path: "settings.local.json", form: "servers-in-settings" },
  ],
  agents: [skills],
  tinyharness: [skills],
  codex: [{ kind: "command", path: "prompts", form: "markdown" }],
  cursor: [{ kind: "mcp", path: "mcp.json", form: "file" }],
  vscode: [{ kind: "mcp", path: "mcp.json", form: "file" }],
  gemini: [{ kind: "mcp", path: "settings.json", form: "servers-in-settings" }],
  folder: [{ kind: "mcp", path: ".mcp.json", form: "file" }],
};
