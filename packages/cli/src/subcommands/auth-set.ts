import { isatty } from "node:tty";
import { whereText } from "./auth-list.ts";
import { readSecret } from "./read-secret.ts";
import type { SubcommandHandler } from "./run-subcommand.ts";

/** `harness auth set`: saves a key that is typed without echo or piped in; a key is never an argument. */
export const authSet: SubcommandHandler = async ({ client, line, say, note, stopping }) => {
  const [provider = ""] = line.positionals;
  // An unknown provider is reported before the key is asked for.
  await client.call("auth/list", { provider });
  const obtained = isatty(0) ? await client.call("auth/obtain", { provider }) : { problems: [] };
  if (obtained.credential) {
    say(`Saved for ${obtained.credential.name}: ${obtained.credential.masked}, from an auth-set hook.`);
    for (const problem of obtained.problems) note(problem);
    return "done";
  }
  const key = await readSecret({ question: `Key for ${provider} (not shown): `, ...stopping });
  if (key === undefined) return "interrupted";
  const { credential, problems } = await client.call("auth/set", { provider, key });
  say(`Saved for ${credential.name}: ${credential.masked}, in ${whereText(credential)}.`);
  for (const problem of problems) note(problem);
  if (credential.unused) note(`Another one takes precedence: see harness auth list ${credential.provider}.`);
  return "done";
};
