/** Names of the server's commands that people know from other agents, by the command's own name. */
const serverAliases: Readonly<Record<string, readonly string[]>> = {
  permissions: ["approvals", "allowed-tools"],
  compact: ["compress", "summarize"],
  files: ["ls"],
};

export function aliasesOf(serverCommand: string): readonly string[] {
  return Object.hasOwn(serverAliases, serverCommand) ? (serverAliases[serverCommand] ?? []) : [];
}

/** Where a command is typed: the window has screens and keys, plain lines have neither. */
type Front = "window" | "lines";

const LOGINS: Readonly<Record<Front, string>> = {
  window:
    "Keys and logins are in Settings (Ctrl+S), at the providers: Enter types a key, L logs in, D removes it. In a shell: harness auth.",
  lines:
    "In a shell: harness auth set PROVIDER saves a key, harness auth login PROVIDER logs in, harness auth rm PROVIDER removes either.",
};
const MEMORY =
  "harness has no memory of its own. It reads AGENTS.md, CLAUDE.md and the like: /init writes one, /context shows their size, /refresh reads them again.";

/** What to do instead of commands that other agents have. */
const instead: Readonly<Record<string, Readonly<Record<Front, string>>>> = {
  login: LOGINS,
  logout: LOGINS,
  memory: { window: MEMORY, lines: MEMORY },
  "terminal-setup": {
    window: "Shift+Enter, Ctrl+J, or \\ and Enter begin a new line; no set-up is needed.",
    lines: "\\ and Enter begin a new line; no set-up is needed.",
  },
};

/** A sentence on what does the work of a command that other agents have. */
export function insteadOf(name: string, front: Front): string | undefined {
  return Object.hasOwn(instead, name) ? instead[name]?.[front] : undefined;
}
