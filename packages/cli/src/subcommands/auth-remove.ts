import { whereText } from "./auth-list.ts";
import type { SubcommandHandler } from "./run-subcommand.ts";

/** `harness auth rm`: removes the saved credential, and lists the ones that remain. */
export const authRemoveSubcommand: SubcommandHandler = async ({ client, line, say, note }) => {
  const [provider = ""] = line.positionals;
  const { removed, problems = [] } = await client.call("auth/remove", { provider });
  say(removed ? `The key or login for ${provider} was removed.` : `No key or login is saved for ${provider}.`);
  for (const problem of problems) note(problem);
  // The server does not know a provider whose file was removed.
  const left = await client.call("auth/list", { provider }).catch(() => ({ credentials: [] }));
  for (const credential of left.credentials)
    note(`Still set outside harness: ${credential.masked} from ${whereText(credential)}.`);
  return "done";
};
