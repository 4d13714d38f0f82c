type SubcommandRow = {
  usage: string;
  doc: string;
  /** The number of positional arguments: one, one or none, any; absent = none. */
  positionals?: "one" | "maybe" | "any";
};

/** All subcommands, in the order of help; some have names of two words. */
export const subcommands = {
  window: { usage: "harness [PROMPT]", doc: "Open the window; a prompt is sent at once.", positionals: "any" },
  run: {
    usage: "harness run [PROMPT]",
    doc: "Run one task without the window and print the answer.",
    positionals: "any",
  },
  repl: {
    usage: "harness repl [PROMPT]",
    doc: "Talk in plain lines, without the window: for simple terminals, screen readers and scripts.",
    positionals: "any",
  },
  providers: { usage: "harness providers", doc: "List the providers, and what those that are not ready need." },
  models: {
    usage: "harness models [PROVIDER]",
    doc: "List the models of ready providers: context window, output limit, price, capabilities.",
    positionals: "maybe",
  },
  "model add": {
    usage: "harness model add FILE.gguf",
    doc: "Add a model file; harness runs it itself.",
    positionals: "one",
  },
  "model pull": {
    usage: "harness model pull NAME",
    doc: "Let a running Ollama download a model, with its progress; Ctrl+C stops, and what has arrived is kept.",
    positionals: "one",
  },
  "model rm": {
    usage: "harness model rm NAME",
    doc: "Remove an added model file from the list; the file itself stays.",
    positionals: "one",
  },
  setup: {
    usage: "harness setup",
    doc: "Set up a model: a local server, an API key, a login, an address or a file.",
  },
  import: {
    usage: "harness import",
    doc: "List the settings, rules, agents, prompts and sessions that TinyHarness and other programs left, and take them over.",
  },
  doctor: { usage: "harness doctor", doc: "Test what a model can do, and save the result for later sessions." },
  index: {
    usage: "harness index",
    doc: "Make the search index of this folder, or bring it up to date; --rebuild builds it from scratch.",
  },
  "index status": { usage: "harness index status", doc: "Show what the search index of this folder has." },
  "index rm": {
    usage: "harness index rm [NAME]",
    doc: "Delete the search index of this folder, or a collection of this name with its index.",
    positionals: "maybe",
  },
  "index add": {
    usage: "harness index add DIR [--name NAME]",
    doc: "Add a folder of documents that is searched in every workspace, and index it.",
    positionals: "one",
  },
  "index list": { usage: "harness index list", doc: "List the folders that searches here cover." },
  search: {
    usage: "harness search QUERY",
    doc: "Find code of this folder in plain words.",
    positionals: "any",
  },
  "services start": {
    usage: "harness services start",
    doc: "Start a Qdrant on this machine to keep indexes in, with docker or podman.",
  },
  "services stop": { usage: "harness services stop", doc: "Stop it; its indexes are kept." },
  "services status": { usage: "harness services status", doc: "Show whether it is running." },
  usage: { usage: "harness usage", doc: "Show the tokens and the cost of a day, by model." },
  audit: { usage: "harness audit", doc: "Show permission decisions, newest last; --clear empties the log." },
  trust: {
    usage: "harness trust [--yes HASH] [--grant NAME]",
    doc: "Show what a folder's own files would run or change, and trust them or not; grant its providers secrets.",
    positionals: "maybe",
  },
  "auth list": {
    usage: "harness auth list [PROVIDER]",
    doc: "List the keys and logins, masked.",
    positionals: "maybe",
  },
  "auth set": {
    usage: "harness auth set PROVIDER",
    doc: "Save a key, typed at a hidden prompt or read from stdin.",
    positionals: "one",
  },
  "auth rm": { usage: "harness auth rm PROVIDER", doc: "Remove the saved key or login.", positionals: "one" },
  "auth login": {
    usage: "harness auth login PROVIDER",
    doc: "Log in with a browser, here or on another machine.",
    positionals: "one",
  },
  "agents list": {
    usage: "harness agents list",
    doc: "List the named agents of a folder, and agent files with errors.",
  },
  "agents show": { usage: "harness agents show NAME", doc: "Show a named agent, with its prompt.", positionals: "one" },
  "agents test": {
    usage: "harness agents test NAME [TASK]",
    doc: "Run a named agent once on a task: answer on stdout; tools, tokens and cost on stderr.",
    positionals: "any",
  },
  sources: {
    usage: "harness sources",
    doc: "List the extensions of a folder: tools, commands, hooks, skills and so on, and files that are not used.",
  },
  hooks: { usage: "harness hooks", doc: "List the hooks of a folder in running order, with the built-in steps." },
  "hooks why": {
    usage: "harness hooks why STAGE",
    doc: "Show the hooks of a stage or an event: when each last ran, how it ended, and why one does not run.",
    positionals: "one",
  },
  tools: { usage: "harness tools", doc: "List the tools of a folder, and executables that cannot be tools." },
  "plugin new": {
    usage: "harness plugin new KIND NAME",
    doc: "Write a working tool, hook, command or provider into .harness of this folder.",
    positionals: "any",
  },
  "plugin test": {
    usage: "harness plugin test PATH",
    doc: "Test one of these programs with sample inputs: answers, exit codes, timing and stderr.",
    positionals: "one",
  },
  sessions: {
    usage: "harness sessions",
    doc: "List the sessions of this folder, newest first; --all lists every folder's.",
  },
  attach: {
    usage: "harness attach [ID]",
    doc: "Open the window on a session that runs elsewhere, to look at it and to answer; without an ID on the one that needs you most.",
    positionals: "maybe",
  },
  stop: {
    usage: "harness stop ID",
    doc: "Stop a session that runs without a window, or what one with windows is doing; it stays stored.",
    positionals: "one",
  },
  replay: {
    usage: "harness replay ID",
    doc: "Replay a stored session without a model, to test hooks and settings: which requests and which decisions about calls would be others now.",
    positionals: "one",
  },
  "session list": {
    usage: "harness session list",
    doc: "The same as harness sessions; --deleted lists the bin.",
  },
  "session show": {
    usage: "harness session show ID",
    doc: "Print a session, with --json each fact on a line; harness -r ID opens it.",
    positionals: "one",
  },
  "session resume": {
    usage: "harness session resume ID [PROMPT]",
    doc: "Open the window on a session, like harness -r ID.",
    positionals: "any",
  },
  "session fork": {
    usage: "harness session fork ID [PROMPT]",
    doc: "Open the window on a fork of a session; with --json only make the fork.",
    positionals: "any",
  },
  "session dir": {
    usage: "harness session dir [ID]",
    doc: "Show where a session is stored, or all of them.",
    positionals: "maybe",
  },
  "session search": {
    usage: "harness session search WORDS",
    doc: "Find what was said and done in the sessions of every folder.",
    positionals: "any",
  },
  "session rename": {
    usage: "harness session rename ID TITLE",
    doc: "Give a session a title.",
    positionals: "any",
  },
  "session delete": {
    usage: "harness session delete ID",
    doc: "Move a session to the bin, which keeps it for 30 days; --now deletes it for good.",
    positionals: "one",
  },
  "session restore": {
    usage: "harness session restore ID",
    doc: "Bring a deleted session back; harness session list --deleted shows what is in the bin.",
    positionals: "one",
  },
  "session fsck": {
    usage: "harness session fsck ID|--all",
    doc: "Say what is wrong in the files of a session, or of all; --repair copies all that can be read.",
    positionals: "maybe",
  },
  "session archive": {
    usage: "harness session archive ID",
    doc: "Leave a session out of lists and searches, until --archived asks for it.",
    positionals: "one",
  },
  "session unarchive": {
    usage: "harness session unarchive ID",
    doc: "Take a session out of the archive.",
    positionals: "one",
  },
  "session export": {
    usage: "harness session export ID",
    doc: "Write a session to a file: Markdown, a page, JSON, a trajectory or a bundle.",
    positionals: "one",
  },
  "session import": {
    usage: "harness session import FILE",
    doc: "Make a session of a bundle, or of one of another program; --from and --list show those of Claude Code, Codex and others.",
    positionals: "maybe",
  },
  agent: {
    usage: "harness agent [PROMPT]",
    doc: "The same as harness run with a prompt, as harness without one.",
    positionals: "any",
  },
  "mcp list": {
    usage: "harness mcp list",
    doc: "List the MCP servers of a folder, and configuration files with errors.",
  },
  "mcp add": {
    usage: "harness mcp add NAME -- COMMAND",
    doc: "Add an MCP server to your own mcp.json: a command with its arguments, or --url URL.",
    positionals: "any",
  },
  "mcp rm": { usage: "harness mcp rm NAME", doc: "Remove an MCP server from your own mcp.json.", positionals: "one" },
  "mcp login": { usage: "harness mcp login NAME", doc: "Log in to an MCP server with a browser.", positionals: "one" },
  "mcp test": {
    usage: "harness mcp test NAME",
    doc: "Start an MCP server once and show its tools, prompts and resources.",
    positionals: "one",
  },
  "mcp logs": {
    usage: "harness mcp logs NAME",
    doc: "Show what an MCP server wrote to stderr or sent as log messages.",
    positionals: "one",
  },
  acp: {
    usage: "harness acp [setup]",
    doc: "Be the agent of an editor that speaks the Agent Client Protocol, on stdin and stdout. With setup: set up a model, as editors ask for it.",
    positionals: "maybe",
  },
  serve: {
    usage: "harness serve --stdio | --listen",
    doc: "Start the server alone, for programs that speak its own protocol.",
  },
  web: {
    usage: "harness web [FLAGS]",
    doc: "Serve a page for the browser of this machine: sessions, messages, answers.",
  },
  completion: {
    usage: "harness completion SHELL",
    doc: "Print completions for bash, zsh or fish.",
    positionals: "one",
  },
  man: { usage: "harness man", doc: "Show the manual page; print it if stdout is not a terminal." },
  help: {
    usage: "harness help [COMMAND | flags | exit-codes]",
    doc: "Show the usage of a command, all flags, or the exit codes.",
    positionals: "any",
  },
  version: { usage: "harness version", doc: "Show the version.", positionals: "any" },
} as const satisfies Record<string, SubcommandRow>;

/** Two-word subcommands by their first word, with its description in the overview of help. */
export const families: Readonly<Record<string, string>> = {
  model: "Model files that harness runs itself, and models to download.",
  auth: "Keys and logins of providers.",
  agents: "Named agents.",
  plugin: "Tools, hooks, commands and providers of your own.",
  session: "One stored session.",
  mcp: "MCP servers.",
  services: "A Qdrant of your own, for large indexes.",
};

export type Subcommand = keyof typeof subcommands;

/** True if this names a subcommand on the command line. The window has no name there. */
export function isSubcommand(name: string): name is Subcommand {
  return name !== "window" && Object.hasOwn(subcommands, name);
}

/** The second words of subcommands that begin with this word; empty if there are none. */
export function secondWords(first: string): string[] {
  return Object.keys(subcommands).flatMap((name) => (name.startsWith(`${first} `) ? name.slice(first.length + 1) : []));
}

export function subcommandRow(name: Subcommand): SubcommandRow {
  return subcommands[name];
}
