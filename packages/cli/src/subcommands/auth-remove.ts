import { whereText } from "./auth-list.ts";
import type { Visitor } from "./visit.ts";

/** `harness auth rm`: forgets what harness keeps, and says what is there still. */
export const authRemove: Visitor = async ({ client, line, say, note }) => {
  const [provider = ""] = line.words;
  const { removed, problems = [] } = await client.call("auth/remove", { provider });
  say(removed ? `The key or login for ${provider} is forgotten.` : `Nothing is kept for ${provider}.`);
  for (const problem of problems) note(problem);
  // Of a provider whose file is gone the server knows nothing any more.
  const left = await client.call("auth/list", { provider }).catch(() => ({ credentials: [] }));
  for (const credential of left.credentials)
    note(`There is still one that is not harness's to forget: ${credential.masked} from ${whereText(credential)}.`);
  return "done";
};
