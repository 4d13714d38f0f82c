/** Names of the server's commands that people know from other agents, by the command's own name. */
const serverAliases: Readonly<Record<string, readonly string[]>> = {
  permissions: ["approvals", "allowed-tools"],
  compact: ["compress", "summarize"],
  files: ["ls"],
};

export function aliasesOf(serverCommand: string): readonly string[] {
  return Object.hasOwn(serverAliases, serverCommand) ? (serverAliases[serverCommand] ?? []) : [];
}

const LOGINS =
  "Keys and logins are in Settings (Ctrl+S), at the providers: Enter types a key, L logs in, D removes it. In a shell: harness auth.";
const TERMINAL = "Shift+Enter, Ctrl+J, or \\ and Enter begin a new line; no set-up is needed.";

/** What to do instead of commands that other agents have. */
const instead: Readonly<Record<string, string>> = {
  login: LOGINS,
  logout: LOGINS,
  memory:
    "harness has no memory of its own. It reads AGENTS.md, CLAUDE.md and the like: /init writes one, /context shows their size, /refresh reads them again.",
  "terminal-setup": TERMINAL,
};

/** A sentence on what does the work of a command that other agents have. */
export function insteadOf(name: string): string | undefined {
  return Object.hasOwn(instead, name) ? instead[name] : undefined;
}
