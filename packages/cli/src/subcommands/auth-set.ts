import { isatty } from "node:tty";
import { CliError } from "../process/exit-codes.ts";
import { whereText } from "./auth-list.ts";
import { NO_KEY, readSecret } from "./read-secret.ts";
import type { SubcommandHandler } from "./run-subcommand.ts";

/** `harness auth set`: saves a key that is typed without echo or piped in; a key is never an argument. */
export const authSetSubcommand: SubcommandHandler = async ({ client, line, say, note, stopping }) => {
  const [provider = ""] = line.positionals;
  // An unknown provider is reported before the key is requested.
  await client.call("auth/list", { provider });
  // A piped key is an answer already; if the pipe is empty, a hook may have the key.
  const isTerminal = isatty(0);
  const question = `Key for ${provider} (not shown): `;
  const piped = isTerminal ? "" : await readSecret({ question, mayBeEmpty: true, ...stopping });
  if (piped === undefined) return "interrupted";
  const obtained = piped === "" ? await client.call("auth/obtain", { provider }) : { problems: [] };
  if (obtained.credential) {
    say(`Saved for ${obtained.credential.name}: ${obtained.credential.masked}, from an auth-set hook.`);
    for (const problem of obtained.problems) note(problem);
    return "done";
  }
  if (piped === "" && !isTerminal) throw new CliError("usage", NO_KEY);
  const key = isTerminal ? await readSecret({ question, ...stopping }) : piped;
  if (key === undefined) return "interrupted";
  const { credential, problems } = await client.call("auth/set", { provider, key });
  say(`Saved for ${credential.name}: ${credential.masked}, in ${whereText(credential)}.`);
  for (const problem of problems) note(problem);
  if (credential.unused) note(`Another one takes precedence: see harness auth list ${credential.provider}.`);
  return "done";
};
