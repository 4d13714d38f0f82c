import type { TrustView } from "@harness/protocol";
import { visibleText } from "@harness/protocol";
import { ignoredText, namesText, secretsTable, trustedForRun, trustTable } from "../../text/trust-text.ts";
import type { LineContext } from "./line-context.ts";

/** Shows what the folder would run or change in harness, and asks the user if that is undecided. */
export async function askTrust(context: LineContext): Promise<void> {
  const { mode, lines, cwd } = context;
  const view = await mode.client.call("trust/get", { cwd });
  if (view.items.length === 0) return lines.print("There is nothing to trust in this folder.");
  lines.print(`${visibleText(view.root)} contains:\n${trustTable(view, process.stdout.columns)}`);
  if (view.refusal !== undefined) return lines.print(view.refusal);
  if (view.state === "trusted" || view.state === "session") {
    lines.print("It is trusted.");
    return askSecrets(context, view);
  }
  lines.print(
    "Trust this folder? Until you do, its settings can only tighten permissions and none of its programs run.\n  y  Trust exactly this content\n  s  Trust it until harness ends\n  n  No",
  );
  for (;;) {
    const answer = ((await lines.line("answer> ")) ?? "n").trim().toLowerCase();
    const decision = ({ y: "trust", s: "session", n: "refuse" } as const)[answer];
    if (decision === undefined) {
      lines.print("Answer with y, s or n; nothing has been decided.");
      continue;
    }
    const decided = await mode.client.call("trust/set", { cwd, hash: view.hash, decision });
    lines.print(decision === "refuse" ? "Not trusted; none of its programs run." : "Trusted.");
    return askSecrets(context, decided);
  }
}

/** Shows which secrets its providers ask for and get; asks about undecided ones. */
async function askSecrets({ mode, lines, cwd }: LineContext, view: TrustView): Promise<void> {
  const table = secretsTable(view, process.stdout.columns);
  if (table !== undefined) lines.print(`Secrets that its providers ask for, and get once you grant them:\n${table}`);
  for (const { provider, hash, variables } of view.secrets ?? []) {
    const open = variables.filter(({ state }) => state === "undecided").map(({ name }) => name);
    const granted = variables.filter(({ state }) => state === "granted").map(({ name }) => name);
    if (open.length === 0) continue;
    lines.print(`Grant the provider ${visibleText(provider)} ${namesText(open)}?\n  y  Grant\n  n  No`);
    for (;;) {
      const answer = ((await lines.line("answer> ")) ?? "n").trim().toLowerCase();
      if (answer === "y" || answer === "n") {
        const names = answer === "y" ? [...granted, ...open] : granted;
        await mode.client.call("trust/grant", { cwd, provider, hash, names });
        lines.print(answer === "y" ? "Granted." : "Not granted.");
        break;
      }
      lines.print("Answer with y or n; nothing has been decided.");
    }
  }
}

/** The question at startup: asked if the folder is new or has changed; `isTrusted`: the command line answers it. */
export async function settleLineTrust(
  context: LineContext,
  { isTrusted, canAsk }: { isTrusted: boolean; canAsk: boolean },
) {
  const { mode, lines, cwd } = context;
  const view = await mode.client.call("trust/get", { cwd });
  if (view.state !== "untrusted" && view.state !== "changed") {
    if (canAsk && isOpen(view)) await askSecrets(context, view);
    return;
  }
  if (isTrusted) {
    const trusted = await mode.client.call("trust/set", { cwd, hash: view.hash, decision: "session" });
    lines.print(`${trustedForRun(view)}\n${trustTable(view, process.stdout.columns)}`);
    return canAsk ? askSecrets(context, trusted) : undefined;
  }
  if (canAsk) return askTrust(context);
  const ignored = ignoredText(view);
  if (ignored !== undefined) lines.print(ignored);
}

/** True if a provider asks for a secret that is undecided. */
function isOpen({ secrets = [] }: TrustView): boolean {
  return secrets.some(({ variables }) => variables.some(({ state }) => state === "undecided"));
}
