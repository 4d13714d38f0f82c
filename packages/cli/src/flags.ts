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
  in: readonly ("window" | "run" | "serve")[];
};

const everywhere = ["window", "run", "serve"] as const;
const session = ["window", "run"] as const;
const run = ["run"] as const;

/** Every flag, in the order help shows them. */
export const flags = {
  model: { takes: "value", short: "m", value: "MODEL", doc: "Model id, or PROVIDER/MODEL.", in: session },
  provider: {
    takes: "value",
    value: "NAME",
    doc: "Vendor that answers, such as ollama or openrouter.",
    in: session,
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
  cd: { takes: "value", short: "C", value: "DIR", doc: "Work in this folder; other paths start there.", in: session },
  "permission-mode": {
    takes: "value",
    value: "MODE",
    choices: PermissionMode.options,
    doc: "What happens to a call that no rule decides.",
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
  ephemeral: { takes: "nothing", doc: "Store nothing.", in: run },
  "output-format": {
    takes: "value",
    value: "FORMAT",
    choices: ["text", "json", "stream-json"],
    doc: "What stdout gets: the answer, one result object, or every update as a line.",
    in: run,
  },
  json: { takes: "nothing", doc: "The same as --output-format stream-json.", in: run },
  "include-partial": { takes: "nothing", doc: "With stream-json: also the chunks as they are streamed.", in: run },
  "input-format": {
    takes: "value",
    value: "FORMAT",
    choices: ["text", "stream-json"],
    doc: "What stdin holds: text, or lines of prompts, cancels and permission replies.",
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
  timeout: { takes: "value", value: "TIME", doc: "Stop after this long: 90s, 10m, 2h.", in: run },
  quiet: { takes: "nothing", short: "q", doc: "No notes on stderr; errors still come.", in: run },
  verbose: { takes: "nothing", short: "v", doc: "Tell on stderr what the tools do.", in: run },
  stdio: { takes: "nothing", doc: "Speak JSON-RPC 2.0 over stdin and stdout, one object a line.", in: ["serve"] },
  help: { takes: "nothing", short: "h", doc: "This text.", in: everywhere },
  version: { takes: "nothing", short: "V", doc: "The version.", in: everywhere },
} as const satisfies Record<string, FlagRow>;

export type FlagName = keyof typeof flags;

export const subcommands = {
  window: { usage: "harness [PROMPT]", doc: "Open the window; a prompt is sent at once." },
  run: {
    usage: "harness run [PROMPT]",
    doc: "One task without a window: the answer on stdout, an exit code that tells the truth.",
  },
  serve: { usage: "harness serve --stdio", doc: "The bare server, for editors and scripts." },
  help: { usage: "harness help", doc: "This text." },
  version: { usage: "harness version", doc: "The version." },
} as const;

export type Subcommand = keyof typeof subcommands;

/** True for a word of the command line that names a subcommand; the window has no word. */
export function isSubcommand(word: string): word is Subcommand {
  return word !== "window" && Object.hasOwn(subcommands, word);
}

export function flagRow(name: FlagName): FlagRow {
  return flags[name];
}

export function isFlag(name: string): name is FlagName {
  return Object.hasOwn(flags, name);
}
