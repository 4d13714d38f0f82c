import { efforts, permissionModes } from "@harness/protocol/choices";

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

type SubcommandRow = {
  usage: string;
  doc: string;
  /** The positional arguments: one, one or none, any; absent = none. */
  positionals?: "one" | "maybe" | "any";
};

/** All subcommands, in the order of help; some have names of two words. */
export const subcommands = {
  window: { usage: "harness [PROMPT]", doc: "Open the window; a prompt is sent at once.", positionals: "any" },
  run: {
    usage: "harness run [PROMPT]",
    doc: "Run one task without the window: the answer on stdout, the outcome in the exit code.",
    positionals: "any",
  },
  providers: { usage: "harness providers", doc: "List the providers: which are ready, and what the others need." },
  models: {
    usage: "harness models [PROVIDER]",
    doc: "List the models of ready providers: context window, longest reply, price, abilities.",
    positionals: "maybe",
  },
  "model add": {
    usage: "harness model add FILE.gguf",
    doc: "Add a model file; harness runs it itself.",
    positionals: "one",
  },
  "model rm": {
    usage: "harness model rm NAME",
    doc: "Remove an added model file from the list; the file itself stays.",
    positionals: "one",
  },
  doctor: { usage: "harness doctor", doc: "Test what a model can do, and keep the result for later sessions." },
  usage: { usage: "harness usage", doc: "Show the tokens and the cost of a day, by model." },
  audit: { usage: "harness audit", doc: "Show permission decisions, newest last; --clear empties the log." },
  trust: {
    usage: "harness trust [--yes HASH]",
    doc: "Show what a folder would run or change in harness, and trust it or not.",
    positionals: "maybe",
  },
  "auth list": {
    usage: "harness auth list [PROVIDER]",
    doc: "List the keys and logins, masked.",
    positionals: "maybe",
  },
  "auth set": {
    usage: "harness auth set PROVIDER",
    doc: "Save a key, typed without echo or read from stdin.",
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
    doc: "List the named agents of a folder, and agent files that are not used.",
  },
  "agents show": { usage: "harness agents show NAME", doc: "Show a named agent, with its prompt.", positionals: "one" },
  "agents test": {
    usage: "harness agents test NAME [TASK]",
    doc: "Run a named agent on a task once: answer on stdout; tools, tokens and cost on stderr.",
    positionals: "any",
  },
  serve: { usage: "harness serve --stdio", doc: "Start the bare server, for editors and scripts." },
  help: { usage: "harness help", doc: "Show this help.", positionals: "any" },
  version: { usage: "harness version", doc: "Show the version.", positionals: "any" },
} as const satisfies Record<string, SubcommandRow>;

export type Subcommand = keyof typeof subcommands;

const session = ["window", "run"] as const;
const run = ["run"] as const;
/** What does a task without a window. */
const tasks = ["run", "agents test"] as const;
const sessionOrTest = ["window", ...tasks] as const;
const agentLists = ["agents list", "agents show"] as const;
const listings = ["providers", "models", "doctor", "usage", "audit", "trust", "auth list", ...agentLists] as const;
const changes = ["model add", "model rm", "auth set", "auth rm", "auth login"] as const;
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
  last: { takes: "value", value: "N", doc: "How many entries to show (50).", in: ["audit"] },
  session: {
    takes: "value",
    value: "ID",
    doc: "Only entries of one session, by id or beginning of an id.",
    in: ["audit"],
  },
  clear: { takes: "nothing", doc: "Empty the log.", in: ["audit"] },
  stdio: { takes: "nothing", doc: "Speak JSON-RPC 2.0 over stdin and stdout, one object per line.", in: ["serve"] },
  help: { takes: "nothing", short: "h", doc: "Show this help.", in: everywhere },
  version: { takes: "nothing", short: "V", doc: "Show the version.", in: everywhere },
} as const satisfies Record<string, FlagRow>;

export type FlagName = keyof typeof flags;

/** Is this the name of a subcommand on the command line? The window has none. */
export function isSubcommand(name: string): name is Subcommand {
  return name !== "window" && Object.hasOwn(subcommands, name);
}

/** The second words of subcommands that begin with this word; empty for none. */
export function secondWords(first: string): string[] {
  return Object.keys(subcommands).flatMap((name) => (name.startsWith(`${first} `) ? name.slice(first.length + 1) : []));
}

export function subcommandRow(name: Subcommand): SubcommandRow {
  return subcommands[name];
}

export function flagRow(name: FlagName): FlagRow {
  return flags[name];
}

export function isFlag(name: string): name is FlagName {
  return Object.hasOwn(flags, name);
}
