type Line = readonly [name: string, summary: string];

/** The commands as the overview of help lists them: by purpose, one short line each. */
export const overview: readonly (readonly [title: string, lines: readonly Line[]])[] = [
  [
    "Work",
    [
      ["run", "Run one task and print the answer"],
      ["repl", "Work in plain lines, without the window"],
      ["sessions", "List the stored sessions, or those that run (--live)"],
      ["attach", "Open the window on a session that runs elsewhere"],
      ["stop", "Stop a session that runs without a window"],
      ["session", "Show one session, or where it is stored"],
      ["import", "Take over what other programs left"],
      ["search", "Find code of this folder in plain words"],
      ["index", "Make the index that searches of code use"],
      ["services", "Start and stop a server for large indexes"],
    ],
  ],
  [
    "Models",
    [
      ["setup", "Set up a model: server, key, login or file"],
      ["models", "List the models you can use"],
      ["providers", "List the providers, and what they still need"],
      ["auth", "Save, list and remove keys and logins"],
      ["model", "Add or remove a model file (.gguf)"],
      ["doctor", "Test what a model can do"],
      ["usage", "Show tokens and cost of a day"],
    ],
  ],
  [
    "Permissions",
    [
      ["trust", "Decide whether a folder's own files take effect"],
      ["audit", "Show what was allowed and denied, and why"],
    ],
  ],
  [
    "Extensions",
    [
      ["sources", "List all extensions, and files that are not used"],
      ["mcp", "Add, test, log in to and remove MCP servers"],
      ["tools", "List the agent's tools"],
      ["hooks", "List hooks, and why one ran or did not"],
      ["agents", "List, show and test named agents"],
      ["plugin", "Write and test your own tools, hooks and commands"],
      ["replay", "Replay a stored session, to test hooks and settings"],
    ],
  ],
  [
    "More",
    [
      ["acp", "Work in an editor, over the Agent Client Protocol"],
      ["web", "Open sessions in a browser"],
      ["serve", "Start the server for other programs"],
      ["completion", "Print completions for bash, zsh or fish"],
      ["man", "Show the manual page"],
      ["help", "Show help about a command, all flags, or exit codes"],
      ["version", "Show the version"],
    ],
  ],
];
