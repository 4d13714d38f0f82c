import { isatty } from "node:tty";
import type { TrustView } from "@harness/protocol";
import { visibleText } from "@harness/protocol";
import { CliError, type ExitReason } from "../../process/exit-codes.ts";
import { secretsTable, trustTable } from "../../text/trust-text.ts";
import { confirm } from "../confirm.ts";
import type { SubcommandContext, SubcommandHandler } from "../run-subcommand.ts";
import { decideSecrets } from "./trust-secrets.ts";

const states: Record<TrustView["state"], string> = {
  nothing: "There is nothing to trust.",
  trusted: "Trusted.",
  session: "Trusted until harness ends.",
  untrusted: "Not trusted: its settings can only tighten permissions, and none of its programs run.",
  changed: "Changed since you trusted it: its settings can only tighten permissions, and none of its programs run.",
  refused: "Trust denied: its settings can only tighten permissions, and none of its programs run.",
};

/** `harness trust`: shows what a folder would run or change in harness, and decides whether it may. */
export const trustSubcommand: SubcommandHandler = async (visit) => {
  const { client, line, cwd, say, note } = visit;
  const [hash] = line.positionals;
  const flags = (["list", "forget", "yes"] as const).filter((flag) => line.has(flag));
  if (flags.length > 1) throw new CliError("usage", `--${flags[0]} and --${flags[1]} cannot be combined.`);
  const change = (["grant", "revoke"] as const).find((flag) => line.values(flag).length > 0);
  const other = flags.find((flag) => flag !== "yes");
  if (change && other) throw new CliError("usage", `--${change} and --${other} cannot be combined.`);
  if ((hash !== undefined) !== line.has("yes"))
    throw new CliError(
      "usage",
      "A hash goes with --yes, and --yes needs one: harness trust --yes HASH. To look only: harness trust --list.",
    );
  if (line.has("forget")) {
    const view = await client.call("trust/set", { cwd, hash: "", decision: "forget" });
    say(`Removed. ${visibleText(view.root)}: ${states[view.state]}`);
    return "done";
  }
  const view = await client.call("trust/get", { cwd });
  if (line.has("json") && hash === undefined) {
    say(JSON.stringify(view));
    return "done";
  }
  show(visit, view);
  if (view.refusal !== undefined && line.has("list")) note(`harness: ${visibleText(view.refusal)}`);
  if (view.state === "nothing" || line.has("list")) return "done";
  const isTrusted = view.state === "trusted" || view.state === "session";
  if (hash === undefined && isTrusted) return withSecrets(visit, view);
  if (view.refusal !== undefined) throw new CliError("denied", view.refusal);
  if (hash !== undefined) return keep(visit, hash);
  if (!isatty(0) || !isatty(2))
    throw new CliError(
      "usage",
      `Asking needs a terminal. To trust this content after reading it: harness trust --yes ${view.hash}`,
    );
  const question = "Trust exactly this content until it changes? (y/N) ";
  if (await confirm({ question, ...visit.stopping })) return keep(visit, view.hash);
  note("Nothing was changed.");
  return "denied";
};

function show({ say }: SubcommandContext, view: TrustView): void {
  say(`${visibleText(view.root)}: ${states[view.state]}`);
  if (view.items.length > 0) say(`\n${trustTable(view, process.stdout.columns)}\n`);
  showSecrets(say, view);
  // Untrusted content has no hash to trust it by, and may have more files than are listed.
  if (view.state !== "nothing" && view.refusal === undefined) say(`Hash: ${view.hash}`);
}

async function keep(visit: SubcommandContext, hash: string): Promise<ExitReason> {
  const { client, cwd, say } = visit;
  const view = await client.call("trust/set", { cwd, hash, decision: "trust" });
  say(`Trusted: ${visibleText(view.root)}. In open sessions there, this takes effect with the next message.`);
  showSecrets(say, view);
  return withSecrets(visit, view);
}

/** Known only now if programs ask for them: none of them ran before. */
function showSecrets(say: SubcommandContext["say"], view: TrustView): void {
  const table = secretsTable(view, process.stdout.columns);
  if (table !== undefined) say(`Secrets that its providers ask for, and get once you grant them:\n\n${table}\n`);
}

async function withSecrets(visit: SubcommandContext, view: TrustView): Promise<ExitReason> {
  await decideSecrets(visit, view);
  return "done";
}
