import { ignoredText, trustedForRun, trustTable } from "../../text/trust-text.ts";
import { visibleText } from "../../text/visible-text.ts";
import type { LinePlace } from "./line-place.ts";

/** Shows what the folder would run or change in harness, and has the person decide where that is open. */
export async function askTrust({ mode, lines, cwd }: LinePlace): Promise<void> {
  const view = await mode.client.call("trust/get", { cwd });
  if (view.items.length === 0) return lines.print("There is nothing to trust in this folder.");
  lines.print(`${visibleText(view.root)} contains:\n${trustTable(view, process.stdout.columns)}`);
  if (view.refusal !== undefined) return lines.print(view.refusal);
  if (view.state === "trusted" || view.state === "session") return lines.print("It is trusted.");
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
    await mode.client.call("trust/set", { cwd, hash: view.hash, decision });
    return lines.print(decision === "refuse" ? "Not trusted; none of its programs run." : "Trusted.");
  }
}

/** The question at the start: asked where the folder is new or has changed; `isTrusted`: the command line answers it. */
export async function settleLineTrust(
  place: LinePlace,
  { isTrusted, canAsk }: { isTrusted: boolean; canAsk: boolean },
) {
  const { mode, lines, cwd } = place;
  const view = await mode.client.call("trust/get", { cwd });
  if (view.state !== "untrusted" && view.state !== "changed") return;
  if (isTrusted) {
    await mode.client.call("trust/set", { cwd, hash: view.hash, decision: "session" });
    return lines.print(`${trustedForRun(view)}\n${trustTable(view, process.stdout.columns)}`);
  }
  if (canAsk) return askTrust(place);
  const ignored = ignoredText(view);
  if (ignored !== undefined) lines.print(ignored);
}
