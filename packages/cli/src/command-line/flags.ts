import { efforts, permissionModes } from "@harness/protocol/choices";
import type { Subcommand } from "./subcommand-rows.ts";

type FlagRow = {
  /** The value: none, one, or one each time the flag is given. */
  takes: "nothing" | "value" | "values";
  short?: string;
  /** The name of the value in help. */
  value?: string;
  choices?: readonly string[];
  /** An empty value is allowed. */
  mayBeBlank?: true;
  doc: string;
  /** The subcommands that accept it; `window` is harness without a subcommand. */
  in: readonly Subcommand[];
};

const session = ["window", "run"] as const;
const run = ["run"] as const;
/** What does a task without a window. */
const tasks = ["run", "agents test"] as const;
const sessionOrTest = ["window", ...tasks] as const;
const agentLists = ["agents list", "agents show"] as const;
const mcpChanges = ["mcp add", "mcp rm", "mcp login"] as const;
const listings = [
  "providers",
  "models",
  "doctor",
  "usage",
  "audit",
  "trust",
  "auth list",
  "sources",
  "hooks",
  "hooks why",
  "tools",
  "plugin test",
  "session list",
  "session show",
  "session dir",
  ...agentLists,
  "mcp list",
  "mcp test",
  "mcp logs",
] as const;
const changes = ["model add", "model rm", "auth set", "auth rm", "auth login", "plugin new", ...mcpChanges] as const;
const everywhere = [...sessionOrTest, ...listings, ...changes, "serve"] as const;

/** All flags, in the order of help. */
export const flags = {
  model: {
    takes: "value",
    short: "m",
    value: "MODEL",
    doc: "Model id, or PROVIDER/MODEL.",
    in: [...sessionOrTest, "doctor"],
  },
  provider: {
    takes: "value",
    value: "NAME",
    doc: "Provider to use, such as ollama or openrouter.",
    in: [...sessionOrTest, "doctor"],
  },
  effort: {
    takes: "value",
    value: "LEVEL",
    choices: [...efforts, "off"],
    doc: "How much the model may think.",
    in: sessionOrTest,
  },
  continue: { takes: "nothing", short: "c", doc: "Continue the newest session of this folder.", in: session },
  resume: {
    takes: "value",
    short: "r",
    value: "ID",
    doc: "Resume a session by id, beginning of an id, or title.",
    in: session,
  },
  cd: {
    takes: "value",
    short: "C",
    value: "DIR",
    doc: "Work in this folder; other paths are relative to it.",
    in: [...sessionOrTest, ...listings, ...changes],
  },
  "add-dir": {
    takes: "values",
    value: "DIR",
    doc: "Another folder that counts as the workspace. Repeatable.",
    in: sessionOrTest,
  },
  "mcp-config": {
    takes: "values",
    value: "FILE",
    doc: "A file that names more MCP servers. Repeatable.",
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
    doc: "What happens to a tool call that no rule decides.",
    in: sessionOrTest,
  },
  mode: {
    takes: "value",
    value: "MODE",
    doc: "What the agent does: casual talks, planning and research only read, agent does the work.",
    in: sessionOrTest,
  },
  allow: {
    takes: "values",
    value: "RULE",
    doc: "Allow without asking, such as 'write(src/**)'; 'bash(npm test)' covers every command that begins with it, 'write' alone changes in the workspace. Repeatable.",
    in: sessionOrTest,
  },
  deny: {
    takes: "values",
    value: "RULE",
    doc: "Never allow; stronger than any --allow. Repeatable.",
    in: sessionOrTest,
  },
  "local-only": {
    takes: "nothing",
    doc: "Let harness itself connect only to this machine and private networks.",
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
    doc: "Your own instructions, in place of the custom_instructions setting.",
    in: sessionOrTest,
  },
  "max-turns": {
    takes: "value",
    value: "N",
    doc: "Maximum number of model requests for one message.",
    in: sessionOrTest,
  },
  print: { takes: "nothing", short: "p", doc: "The same as the subcommand run.", in: run },
  file: {
    takes: "values",
    short: "f",
    value: "PATH",
    doc: "Add a text file to the prompt, as @PATH in it does. Repeatable.",
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
    doc: "Store nothing of the session; its cost is still counted.",
    in: run,
  },
  "output-format": {
    takes: "value",
    value: "FORMAT",
    choices: ["text", "json", "stream-json"],
    doc: "Output on stdout: the answer, one result object, or a line per update.",
    in: tasks,
  },
  json: {
    takes: "nothing",
    doc: "For programs: with run the same as --output-format stream-json, otherwise one JSON object.",
    in: [...tasks, ...listings],
  },
  "include-partial": { takes: "nothing", doc: "With stream-json: include the chunks as they are streamed.", in: run },
  "input-format": {
    takes: "value",
    value: "FORMAT",
    choices: ["text", "stream-json"],
    doc: "Input on stdin: text, or lines with prompts, cancels and replies to permission requests and questions.",
    in: run,
  },
  output: { takes: "value", short: "o", value: "FILE", doc: "Also write the answer to a file.", in: tasks },
  "permission-prompt": {
    takes: "value",
    value: "HOW",
    choices: ["deny", "fail"],
    doc: "When nobody can be asked: deny and continue (default), or stop with exit code 4.",
    in: tasks,
  },
  "question-timeout": {
    takes: "value",
    value: "TIME",
    doc: "How long a question waits for an answer on stdin (default 60s) before the agent decides itself.",
    in: run,
  },
  timeout: { takes: "value", value: "TIME", doc: "Stop after this long: 90s, 10m, 2h.", in: tasks },
  quiet: { takes: "nothing", short: "q", doc: "No notes on stderr; errors are still printed.", in: tasks },
  verbose: { takes: "nothing", short: "v", doc: "Print on stderr what the tools do.", in: tasks },
  name: { takes: "value", value: "NAME", doc: "Name of the added model.", in: ["model add"] },
  yes: {
    takes: "nothing",
    short: "y",
    doc: "Do not ask: install the runtime of model files; trust the content with this HASH (--list shows it).",
    in: ["model add", "trust"],
  },
  list: { takes: "nothing", doc: "Show the content, and ask nothing.", in: ["trust"] },
  forget: { takes: "nothing", doc: "Remove the decision about the folder.", in: ["trust"] },
  day: { takes: "value", value: "DAY", doc: "Show another day, such as 2026-11-21.", in: ["usage"] },
  last: { takes: "value", value: "N", doc: "How many entries to show (50).", in: ["audit", "mcp logs"] },
  session: {
    takes: "value",
    value: "ID",
    doc: "Only entries of one session, by id or beginning of an id.",
    in: ["audit"],
  },
  clear: { takes: "nothing", doc: "Empty the log.", in: ["audit"] },
  lang: {
    takes: "value",
    value: "LANG",
    choices: ["sh", "python", "node"],
    doc: "The language of the new program (sh).",
    in: ["plugin new"],
  },
  stage: { takes: "value", value: "STAGE", doc: "The stage of a new hook (tool_exec).", in: ["plugin new"] },
  own: {
    takes: "nothing",
    doc: "Write it into your own configuration folder, for every project.",
    in: ["plugin new"],
  },
  kind: {
    takes: "value",
    value: "KIND",
    choices: ["tool", "hook", "command", "provider"],
    doc: "What kind of program it is, if its folder does not say.",
    in: ["plugin test"],
  },
  input: {
    takes: "value",
    value: "JSON",
    doc: "Arguments to test a tool with, instead of examples from its schema.",
    in: ["plugin test"],
  },
  url: { takes: "value", value: "URL", doc: "The address of the MCP server.", in: ["mcp add"] },
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
    doc: "Use .mcp.json of this folder, for everyone who works there.",
    in: ["mcp add", "mcp rm"],
  },
  stdio: { takes: "nothing", doc: "Speak JSON-RPC 2.0 over stdin and stdout, one object per line.", in: ["serve"] },
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
