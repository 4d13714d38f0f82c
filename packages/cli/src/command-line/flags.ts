import { efforts, olderPermissionModes, permissionModes } from "@harness/protocol/choices";
import {
  changes,
  everywhere,
  listings,
  run,
  session,
  sessionLists,
  sessionOrTest,
  tasks,
  windows,
} from "./flag-homes.ts";
import type { FlagRow } from "./flag-row.ts";
import { limitFlags } from "./flag-rows/limit-flags.ts";
import { listeningFlags } from "./flag-rows/listening-flags.ts";
import { pluginFlags } from "./flag-rows/plugin-flags.ts";
import { searchFlags } from "./flag-rows/search-flags.ts";
import { storedFlags } from "./flag-rows/stored-flags.ts";
import { webFlags } from "./flag-rows/web-flags.ts";
import { worktreeFlags } from "./flag-rows/worktree-flags.ts";

/** All flags, in the order of help. */
export const flags = {
  model: {
    takes: "value",
    short: "m",
    value: "MODEL",
    fallback: "the setting model, else the first that is ready",
    doc: "Model id, or PROVIDER/MODEL. With lists and searches of sessions: only those whose model has this in its name.",
    in: [...sessionOrTest, "doctor", ...sessionLists],
  },
  provider: {
    takes: "value",
    value: "NAME",
    doc: "Provider to use, such as ollama or openrouter. With trust: the one that --grant and --revoke are about.",
    in: [...sessionOrTest, "doctor", "trust"],
  },
  url: {
    takes: "value",
    short: "u",
    value: "URL",
    doc: "Address of a model server; harness detects its kind unless --provider names it. With mcp add: of the MCP server.",
    in: [...sessionOrTest, "providers", "models", "doctor", "setup", "mcp add"],
  },
  config: { takes: "nothing", doc: "The same as the subcommand setup.", in: ["window"] },
  effort: {
    takes: "value",
    value: "LEVEL",
    choices: [...efforts, "off"],
    fallback: "the model's own",
    doc: "How much the model thinks.",
    in: sessionOrTest,
  },
  continue: { takes: "nothing", short: "c", doc: "Continue the newest session of this folder.", in: session },
  resume: {
    takes: "maybe",
    short: "r",
    value: "ID",
    doc: "Resume a session by id, start of an id, or title; without one the window shows a list.",
    in: session,
  },
  fork: { takes: "nothing", doc: "With --resume ID or --continue: go on in a fork of that session.", in: session },
  cd: {
    takes: "value",
    short: "C",
    value: "DIR",
    fallback: "the current folder",
    doc: "Work in this folder; other paths are relative to it. With --resume: go on there with a session whose folder is gone.",
    in: [...sessionOrTest, ...listings, ...changes],
  },
  ...worktreeFlags,
  "add-dir": { takes: "values", value: "DIR", doc: "Add a folder to the workspace. Repeatable.", in: sessionOrTest },
  "mcp-config": {
    takes: "values",
    value: "FILE",
    doc: "A file with more MCP servers. Repeatable.",
    in: sessionOrTest,
  },
  "strict-mcp-config": {
    takes: "nothing",
    doc: "Use only the MCP servers of --mcp-config; without it, none.",
    in: sessionOrTest,
  },
  "permission-mode": {
    takes: "value",
    value: "MODE",
    choices: permissionModes,
    fallback: "the setting permission_mode",
    older: Object.keys(olderPermissionModes),
    doc: "What happens to tool calls that no rule covers.",
    in: sessionOrTest,
  },
  mode: {
    takes: "value",
    value: "MODE",
    doc: "The agent's mode: casual talks, planning and research only read, agent does the work.",
    in: sessionOrTest,
  },
  allow: {
    takes: "values",
    value: "RULE",
    doc: "Allow without asking, such as 'write(src/**)'; 'bash(npm test)' allows every command that begins with it, 'write' alone every change in the workspace. Repeatable.",
    in: sessionOrTest,
  },
  deny: {
    takes: "values",
    value: "RULE",
    doc: "Deny; takes precedence over every --allow. Repeatable.",
    in: sessionOrTest,
  },
  "local-only": {
    takes: "nothing",
    doc: "Connect only to this machine and private networks; commands are not restricted.",
    in: [...sessionOrTest, "providers", "models", "doctor"],
  },
  trust: {
    takes: "nothing",
    doc: "Trust the folder's settings, keys, providers and rules for this run; they are listed on stderr.",
    in: sessionOrTest,
  },
  "append-system-prompt": {
    takes: "value",
    value: "TEXT",
    mayBeBlank: true,
    doc: "Your own instructions, instead of the setting custom_instructions.",
    in: sessionOrTest,
  },
  ...limitFlags,
  inline: {
    takes: "nothing",
    doc: "Open the window below your shell's output; finished messages stay in the terminal's scrollback.",
    in: windows,
  },
  line: {
    takes: "nothing",
    doc: "Plain lines instead of the window: the same as the subcommand repl.",
    in: ["window"],
  },
  print: { takes: "nothing", short: "p", doc: "The same as the subcommand run.", in: run },
  file: {
    takes: "values",
    short: "f",
    value: "PATH",
    doc: "Add a text file to the prompt, like @PATH in it. Repeatable.",
    in: tasks,
  },
  image: {
    takes: "values",
    value: "PATH",
    doc: "Attach an image (png, jpg, gif, webp), scaled down if it is large. Repeatable.",
    in: tasks,
  },
  agent: { takes: "value", value: "NAME", doc: "Run as a named agent.", in: run },
  title: { takes: "value", short: "n", value: "TITLE", doc: "Name the session.", in: run },
  ephemeral: {
    takes: "nothing",
    doc: "Do not store the session; its cost is still counted.",
    in: run,
  },
  "output-format": {
    takes: "value",
    value: "FORMAT",
    choices: ["text", "json", "stream-json"],
    fallback: "text",
    doc: "Output on stdout: the answer, one result object, or a line per update.",
    in: tasks,
  },
  json: {
    takes: "nothing",
    doc: "For programs: with run the same as --output-format stream-json, otherwise one JSON object.",
    in: [...tasks, ...listings, "session fork", "attach"],
  },
  "include-partial": { takes: "nothing", doc: "With stream-json: include the text while it is streamed.", in: run },
  "input-format": {
    takes: "value",
    value: "FORMAT",
    choices: ["text", "stream-json"],
    fallback: "text",
    doc: "Input on stdin: text, or lines with prompts, cancels and replies to permission requests and questions.",
    in: run,
  },
  output: {
    takes: "value",
    short: "o",
    value: "FILE",
    doc: "Also write the answer to a file. With session export: the file to write, - for stdout.",
    in: [...tasks, "session export"],
  },
  "permission-prompt": {
    takes: "value",
    value: "HOW",
    choices: ["deny", "fail"],
    fallback: "deny",
    doc: "What happens when a permission is needed: deny and continue, or stop with exit code 4.",
    in: tasks,
  },
  "question-timeout": {
    takes: "value",
    value: "TIME",
    fallback: "60s",
    doc: "How long a question waits for an answer on stdin before the agent goes on without one.",
    in: run,
  },
  timeout: { takes: "value", value: "TIME", doc: "Stop after this long: 90s, 10m, 2h.", in: tasks },
  quiet: { takes: "nothing", short: "q", doc: "Print only errors on stderr.", in: tasks },
  verbose: {
    takes: "nothing",
    short: "v",
    doc: "Print tool calls and their output on stderr. On a terminal, the calls are always printed.",
    in: tasks,
  },
  name: {
    takes: "value",
    value: "NAME",
    doc: "Name of the added model or collection.",
    in: ["model add", "index add"],
  },
  yes: {
    takes: "nothing",
    short: "y",
    doc: "Do not ask. With model add: install the runtime. With trust: trust the content with this HASH, as --list shows it. With import: take over all that can come. With index --embedder or --reranker: send the texts.",
    in: ["model add", "trust", "import", "index"],
  },
  list: {
    takes: "nothing",
    doc: "Show the content without asking. With import and session import: list what can be imported.",
    in: ["trust", "import", "session import"],
  },
  forget: { takes: "nothing", doc: "Remove the decision about the folder.", in: ["trust"] },
  grant: {
    takes: "values",
    value: "NAME",
    doc: "Grant a provider of the trusted folder this secret that it asks for, by the name of the variable. Repeatable.",
    in: ["trust"],
  },
  revoke: { takes: "values", value: "NAME", doc: "Take such a grant back. Repeatable.", in: ["trust"] },
  day: { takes: "value", value: "DAY", fallback: "today", doc: "Show another day, such as 2026-11-21.", in: ["usage"] },
  last: { takes: "value", value: "N", fallback: "50", doc: "How many entries to show.", in: ["audit", "mcp logs"] },
  session: {
    takes: "value",
    value: "ID",
    doc: "Only entries of one session, by id or start of an id.",
    in: ["audit"],
  },
  all: { takes: "nothing", doc: "Sessions of every folder.", in: ["sessions", "session list", "session fsck"] },
  clear: { takes: "nothing", doc: "Empty the log.", in: ["audit"] },
  ...pluginFlags,
  env: {
    takes: "values",
    value: "NAME=VALUE",
    doc: "An environment variable of the MCP server. Repeatable.",
    in: ["mcp add"],
  },
  header: {
    takes: "values",
    value: "NAME:VALUE",
    doc: "A header of requests to the MCP server. Repeatable.",
    in: ["mcp add"],
  },
  project: {
    takes: "nothing",
    doc: "Write to .mcp.json of this folder, for everyone who works there.",
    in: ["mcp add", "mcp rm"],
  },
  ...storedFlags,
  ...searchFlags,
  ...listeningFlags,
  ...webFlags,
  help: { takes: "nothing", short: "h", doc: "Show this help.", in: everywhere },
  version: { takes: "nothing", short: "V", doc: "Show the version.", in: everywhere },
} as const satisfies Record<string, FlagRow>;

export type FlagName = keyof typeof flags;

export function flagRow(name: FlagName): FlagRow {
  return flags[name];
}

export function isFlag(name: string): name is FlagName {
  return Object.hasOwn(flags, name);
}
