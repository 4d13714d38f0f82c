import { type CredentialView, localTime } from "@harness/protocol";
import { textTable } from "../text/text-table.ts";
import type { SubcommandHandler } from "./run-subcommand.ts";

const HEADER = ["PROVIDER", "WHAT", "MASKED", "FROM", "NOTES"];

/** `harness auth list`: lists credentials without their secrets. */
export const authListSubcommand: SubcommandHandler = async ({ client, line, say, note }) => {
  const [provider] = line.positionals;
  const found = await client.call("auth/list", provider === undefined ? {} : { provider });
  for (const problem of found.problems) note(`harness: ${problem}`);
  if (line.has("json")) say(JSON.stringify(found));
  else if (found.credentials.length > 0) say(textTable(HEADER, found.credentials.map(credentialRow)));
  else note(`No keys or logins${provider ? ` for ${provider}` : ""}. ${HOW}`);
  return "done";
};

const HOW = "harness auth set PROVIDER saves a key; harness providers shows the providers.";

function credentialRow(each: CredentialView): string[] {
  const { provider, kind, masked, account, expiresAt, unused } = each;
  const notes = [
    ...(account ? [account] : []),
    ...(expiresAt ? [`until ${expiry(expiresAt)}`] : []),
    ...(unused ? ["not used: another one takes precedence"] : []),
  ];
  return [provider, kind === "apiKey" ? "key" : "login", masked, whereText(each), notes.join(", ")];
}

function expiry(at: string): string {
  const { date, minutes } = localTime(at);
  return `${date} ${minutes}`;
}

/** Where a credential is stored, or comes from. */
export function whereText({ source, from }: Pick<CredentialView, "source" | "from">): string {
  return source === "env" ? `${from} (environment)` : from;
}
