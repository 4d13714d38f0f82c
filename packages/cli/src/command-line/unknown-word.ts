import { CliError } from "../process/exit-codes.ts";
import { closestName } from "./closest-name.ts";
import { families, subcommands } from "./subcommand-rows.ts";

/** A word that could be the name of a command; a sentence, a path or a word in another script could not. */
const COMMAND_WORD = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** Other programs' names for commands, and the equivalent here. */
const otherWords: Readonly<Record<string, string>> = {
  login: "harness auth login PROVIDER, or harness auth set PROVIDER for a key",
  logout: "harness auth rm PROVIDER",
  keys: "harness auth list",
  config: "harness setup, or /settings in the window",
  settings: "/settings in the window",
  init: "/init in the window",
  exec: 'harness run "what to do"',
  ask: 'harness run "what to do"',
  chat: "harness",
  tui: "harness",
  resume: "harness -r",
  continue: "harness -c",
  history: "harness sessions",
  threads: "harness sessions",
  stats: "harness usage",
  cost: "harness usage",
  permissions: "/permissions in the window",
  skills: "/skills in the window",
  "app-server": "harness serve --stdio",
};

/** These are refused even with one word after them: nobody begins a two-word message like this. */
const WITH_ARGUMENT: readonly string[] = ["login", "logout", "exec", "resume"];

/**
 * Refuses to send a word to a model that was probably meant as a command: a single word, and two words if the first is
 * nearly a command.
 */
export function refuseUnknownWord(positionals: readonly string[]): void {
  const [first = "", ...rest] = positionals;
  if (!COMMAND_WORD.test(first) || rest.length > 1) return;
  const words = [...new Set([...Object.keys(subcommands), ...Object.keys(families)].map(firstWord))];
  const name = first.toLowerCase();
  const other = Object.hasOwn(otherWords, name) ? otherWords[name] : undefined;
  const near =
    other === undefined
      ? closestName(
          name,
          words.filter((word) => word !== "window"),
        )
      : undefined;
  // In a pair of words only a typing slip counts: "can you" does not mean `man you`.
  const isSlip = near !== undefined && near[0] === name[0] && name.length > 2;
  if (rest.length === 1 && !isSlip && !WITH_ARGUMENT.includes(name)) return;
  const meant = other ?? (near && `harness ${[near, ...rest].join(" ")}`);
  throw new CliError(
    "usage",
    `"${first}" is not a command of harness.${meant ? ` Did you mean ${meant}?` : " harness help lists them."} To send it as a message: harness -- ${positionals.join(" ")}`,
  );
}

function firstWord(name: string): string {
  return name.split(" ")[0] ?? name;
}
