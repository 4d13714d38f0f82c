import { createInterface } from "node:readline";
import { type CredentialView, ProtocolError } from "@harness/protocol";
import { CliError } from "../process/exit-codes.ts";
import type { SubcommandContext, SubcommandHandler } from "./run-subcommand.ts";

/** The saved credential, and problems with saving it. */
type SavedLogin = { credential: CredentialView; problems: string[] };

/**
 * `harness auth login`: shows the address and waits for the browser. The final address or code can be pasted meanwhile,
 * for a browser on another machine. Opens no browser itself.
 */
export const authLoginSubcommand: SubcommandHandler = async (visit) => {
  const [provider = ""] = visit.line.positionals;
  await logIn(visit, provider);
  return "done";
};

/** Logs in to a provider; throws if that does not succeed. */
export async function logIn(visit: SubcommandContext, provider: string): Promise<void> {
  const { client, say, note, stopping, notices } = visit;
  const { signal } = stopping;
  const { promise: ended, ...settle } = Promise.withResolvers<SavedLogin>();
  ended.catch(() => undefined);
  // Updates that arrive before the response to `auth/login` belong to this login: it is the only one here.
  notices["auth/login_update"] = ({ credential, problem = "The login ended without a reason.", problems = [] }) =>
    credential ? settle.resolve({ credential, problems }) : settle.reject(new CliError("config", problem));
  const { loginId, url, redirect, paste, expiresAt } = await client.call("auth/login", { provider });
  const cancel = () => {
    void client.call("auth/cancel", { loginId }).catch(() => undefined);
    settle.reject(new CliError("interrupted", "The login was cancelled."));
  };
  signal.addEventListener("abort", cancel, { once: true });
  note(`Open this address in your browser, and log in:`);
  say(url);
  const waiting = redirect && `Waiting for the browser to return to ${redirect}. If it does not: ${paste}.`;
  note(waiting ?? `Then ${paste}.`);
  note(`You have until ${timeText(expiresAt)} to log in. Ctrl+C cancels.`);
  const pasted = readPasted(visit, loginId, redirect !== undefined);
  pasted.catch(() => undefined);
  const { credential, problems } = await Promise.race([ended, pasted]);
  say(`Logged in to ${credential.name}${credential.account ? ` as ${credential.account}` : ""}: ${credential.masked}.`);
  for (const problem of problems) note(problem);
}

/** A time such as `3:53 PM`, in the user's locale. */
function timeText(at: string): string {
  return new Date(at).toLocaleTimeString(undefined, { hour: "numeric", minute: "2-digit" });
}

/** Reads pasted lines until the server accepts one; a rejected line is reported. */
async function readPasted({ client, note }: SubcommandContext, loginId: string, canWait: boolean): Promise<SavedLogin> {
  const lines = createInterface({ input: process.stdin, terminal: false });
  for await (const line of lines) {
    const text = line.trim();
    if (text === "") continue;
    try {
      const { credential, problems = [] } = await client.call("auth/paste", { loginId, text });
      return { credential, problems };
    } catch (error) {
      if (!(error instanceof ProtocolError) || error.kind !== "invalid_params") throw error;
      note(`harness: ${error.message}`);
    }
  }
  if (!canWait) throw new CliError("config", "Nothing valid was pasted, and no browser can return here.");
  return new Promise<never>(() => undefined);
}
