// The subcommands that take a flag; `window` is harness without one.

export const session = ["window", "run", "repl"] as const;
/** Commands that can open a fork. */
export const forks = [...session, "session fork"] as const;
export const run = ["run"] as const;
/** Commands that do a task without a window. */
export const tasks = ["run", "agents test"] as const;
/** Commands that open the window on a named session. */
const openers = ["session resume", "session fork"] as const;
export const windows = ["window", ...openers] as const;
/** Commands that list or search sessions. */
export const sessionLists = ["sessions", "session list", "session search"] as const;
export const sessionOrTest = [...windows, "repl", ...tasks] as const;
/** Commands about sessions that a server holds. */
const live = ["attach", "stop"] as const;
const agentLists = ["agents list", "agents show"] as const;
const mcpChanges = ["mcp add", "mcp rm", "mcp login"] as const;
export const listings = [
  "providers",
  "models",
  "doctor",
  "index",
  "index status",
  "index rm",
  "index add",
  "index list",
  "search",
  "usage",
  "audit",
  "trust",
  "auth list",
  "sources",
  "hooks",
  "hooks why",
  "tools",
  "plugin test",
  "sessions",
  "session list",
  "session show",
  "session dir",
  "session search",
  "session rename",
  "session delete",
  "session restore",
  "session fsck",
  "replay",
  "session archive",
  "session unarchive",
  "session export",
  "session import",
  "import",
  ...agentLists,
  "mcp list",
  "mcp test",
  "mcp logs",
] as const;
export const changes = [
  "model add",
  "model pull",
  "model rm",
  "auth set",
  "auth rm",
  "auth login",
  "plugin new",
  "setup",
  ...mcpChanges,
] as const;
export const everywhere = [
  ...sessionOrTest,
  ...listings,
  ...changes,
  "acp",
  "serve",
  "completion",
  "man",
  ...live,
] as const;
