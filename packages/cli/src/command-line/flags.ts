import { PermissionMode } from "@harness/protocol";

type FlagRow = {
  /** What it takes: nothing, one value, or a value each time it is given. */
  takes: "nothing" | "value" | "values";
  short?: string;
  /** What the value is called in help. */
  value?: string;
  choices?: readonly string[];
  /** An empty value has a meaning. */
  mayBeBlank?: true;
  doc: string;
  /** Subcommands that know it; `window` is harness without a subcommand. */
  in: readonly Subcommand[];
};

type SubcommandRow = {
  usage: string;
  doc: string;
  /** The words that follow: one, one or none, any; absent = none. */
  words?: "one" | "maybe" | "any";
};

/** Every subcommand, in the order help shows them; one of two words is called by both. */
export const subcommands = {
  window: { usage: "harness [PROMPT]", doc: "Open the window; a prompt is sent at once.", words: "any" },
  run: {
    usage: "harness run [PROMPT]",
    doc: "One task without a window: the answer on stdout, an exit code that tells the truth.",
    words: "any",
  },
  providers: { usage: "harness providers", doc: "The vendors, which are ready, and what the others need." },
  models: {
    usage: "harness models [PROVIDER]",
    doc: "The models that ready providers offer: window, longest reply, price, abilities.",
    words: "maybe",
  },
  "model add": {
    usage: "harness model add FILE.gguf",
    doc: "Make a model file known; harness runs it itself.",
    words: "one",
  },
  "model rm": {
    usage: "harness model rm NAME",
    doc: "Forget a model file that was added; the file stays.",
    words: "one",
  },
  doctor: { usage: "harness doctor", doc: "Try out what a model can do, and keep the result for later sessions." },
  usage: { usage: "harness usage", doc: "Tokens and money of a day, by model." },
  audit: { usage: "harness audit", doc: "What the gate has decided, newest last; --clear empties the log." },
  trust: {
    usage: "harness trust [--yes HASH]",
    doc: "What a folder brings that would run or change harness, and whether it may.",
    words: "maybe",
  },
  "auth list": {
    usage: "harness auth list [PROVIDER]",
    doc: "The keys and logins that are there, masked.",
    words: "maybe",
  },
  "auth set": {
    usage: "harness auth set PROVIDER",
    doc: "Keep a key: asked for without showing it, or read from stdin.",
    words: "one",
  },
  "auth rm": { usage: "harness auth rm PROVIDER", doc: "Forget the key or login that is kept.", words: "one" },
  "auth login": {
    usage: "harness auth login PROVIDER",
    doc: "Log in in a browser, here or on another machine.",
    words: "one",
  },
  serve: { usage: "harness serve --stdio", doc: "The bare server, for editors and scripts." },
  help: { usage: "harness help", doc: "This text.", words: "any" },
  version: { usage: "harness version", doc: "The version.", words: "any" },
} as const satisfies Record<string, SubcommandRow>;

export type Subcommand = keyof typeof subcommands;

const session = ["window", "run"] as const;
const run = ["run"] as const;
const listings = ["providers", "models", "doctor", "usage", "audit", "trust", "auth list"] as const;
const changes = ["model add", "model rm", "auth set", "auth rm", "auth login"] as const;
const everywhere = [...session, ...listings, ...changes, "serve"] as const;

/** Every flag, in the order help shows them. */
export const flags = {
  model: {
    takes: "value",
    short: "m",
    value: "MODEL",
    doc: "Model id, or PROVIDER/MODEL.",
    in: [...session, "doctor"],
  },
  provider: {
    takes: "value",
    value: "NAME",
    doc: "Vendor that answers, such as ollama or openrouter.",
    in: [...session, "doctor"],
  },
  effort: {
    takes: "value",
    value: "LEVEL",
    choices: ["off", "low", "medium", "high"],
    doc: "How long the model may think.",
    in: session,
  },
  continue: { takes: "nothing", short: "c", doc: "Go on with the newest session of this folder.", in: session },
  resume: {
    takes: "value",
    short: "r",
    value: "ID",
    doc: "Go on with a session, by id, start of an id, or title.",
    in: session,
  },
  cd: {
    takes: "value",
    short: "C",
    value: "DIR",
    doc: "Work in this folder; other paths start there.",
    in: [...session, ...listings, ...changes],
  },
  "add-dir": {
    takes: "values",
    value: "DIR",
    doc: "One more folder that counts as the workspace. May be repeated.",
    in: session,
  },
  "permission-mode": {
    takes: "value",
    value: "MODE",
    choices: PermissionMode.options,
    doc: "What happens to a call that no rule decides.",
    in: session,
  },
  mode: {
    takes: "value",
    value: "MODE",
    doc: "What the agent is there for: casual talks, planning and research only look, agent does the work.",
    in: session,
  },
  allow: {
    takes: "values",
    value: "RULE",
    doc: "Allow without asking, such as 'write(src/**)'; 'bash(npm test)' covers every command that begins so. May be repeated.",
    in: session,
  },
  deny: {
    takes: "values",
    value: "RULE",
    doc: "Never allow; stronger than any --allow. May be repeated.",
    in: session,
  },
  "local-only": {
    takes: "nothing",
    doc: "Let harness itself send nothing but to this machine and private networks.",
    in: [...session, "providers", "models", "doctor"],
  },
  trust: {
    takes: "nothing",
    doc: "Let what the folder brings (settings, keys, providers, rules) count for this run; it is listed on stderr.",
    in: session,
  },
  "append-system-prompt": {
    takes: "value",
    value: "TEXT",
    mayBeBlank: true,
    doc: "Your own instructions, in place of the custom_instructions setting.",
    in: session,
  },
  "max-turns": { takes: "value", value: "N", doc: "Most requests to the model for one message.", in: session },
  print: { takes: "nothing", short: "p", doc: "The same as the word run.", in: run },
  file: {
    takes: "values",
    short: "f",
    value: "PATH",
    doc: "Put a text file into the prompt, as @PATH within it does. May be repeated.",
    in: run,
  },
  image: {
    takes: "values",
    value: "PATH",
    doc: "Show the model a picture (png, jpg, gif, webp). May be repeated.",
    in: run,
  },
  title: { takes: "value", short: "n", value: "TITLE", doc: "Name the session.", in: run },
  ephemeral: {
    takes: "nothing",
    doc: "Store nothing of the session; what it has cost is counted all the same.",
    in: run,
  },
  "output-format": {
    takes: "value",
    value: "FORMAT",
    choices: ["text", "json", "stream-json"],
    doc: "What stdout gets: the answer, one result object, or every update as a line.",
    in: run,
  },
  json: {
    takes: "nothing",
    doc: "For programs: of run the same as --output-format stream-json, else one JSON object.",
    in: [...run, ...listings],
  },
  "include-partial": { takes: "nothing", doc: "With stream-json: also the chunks as they are streamed.", in: run },
  "input-format": {
    takes: "value",
    value: "FORMAT",
    choices: ["text", "stream-json"],
    doc: "What stdin holds: text, or lines of prompts, cancels and replies to permissions and questions.",
    in: run,
  },
  output: { takes: "value", short: "o", value: "FILE", doc: "Also write the answer to a file.", in: run },
  "permission-prompt": {
    takes: "value",
    value: "HOW",
    choices: ["deny", "fail"],
    doc: "Where nobody can be asked: deny and go on (default), or stop with exit code 4.",
    in: run,
  },
  "question-timeout": {
    takes: "value",
    value: "TIME",
    doc: "How long a question of the agent waits for its answer from stdin (default 60s); then it decides itself.",
    in: run,
  },
  timeout: { takes: "value", value: "TIME", doc: "Stop after this long: 90s, 10m, 2h.", in: run },
  quiet: { takes: "nothing", short: "q", doc: "No notes on stderr; errors still come.", in: run },
  verbose: { takes: "nothing", short: "v", doc: "Tell on stderr what the tools do.", in: run },
  name: { takes: "value", value: "NAME", doc: "What the added model is called.", in: ["model add"] },
  yes: {
    takes: "nothing",
    short: "y",
    doc: "Without a question: install what runs model files; trust what has this HASH (--list shows it).",
    in: ["model add", "trust"],
  },
  list: { takes: "nothing", doc: "Show it, and ask nothing.", in: ["trust"] },
  forget: { takes: "nothing", doc: "Take back what was decided about the folder.", in: ["trust"] },
  day: { takes: "value", value: "DAY", doc: "Another day than today, such as 2026-11-21.", in: ["usage"] },
  last: { takes: "value", value: "N", doc: "How many entries to show (50).", in: ["audit"] },
  session: {
    takes: "value",
    value: "ID",
    doc: "Only those of one session, by its id or the start of it.",
    in: ["audit"],
  },
  clear: { takes: "nothing", doc: "Empty the log.", in: ["audit"] },
  stdio: { takes: "nothing", doc: "Speak JSON-RPC 2.0 over stdin and stdout, one object a line.", in: ["serve"] },
  help: { takes: "nothing", short: "h", doc: "This text.", in: everywhere },
  version: { takes: "nothing", short: "V", doc: "The version.", in: everywhere },
} as const satisfies Record<string, FlagRow>;

export type FlagName = keyof typeof flags;

/** True for what names a subcommand on the command line; the window has no word. */
export function isSubcommand(name: string): name is Subcommand {
  return name !== "window" && Object.hasOwn(subcommands, name);
}

/** The second words of the subcommands that begin with this one; empty when none does. */
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
