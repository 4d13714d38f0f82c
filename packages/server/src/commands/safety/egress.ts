import type { EgressEntry } from "@harness/protocol";
import { misused, type ServerCommand } from "../server-command.ts";

const SHOWN = 30;

export const egressCommand: ServerCommand = {
  description: "Which hosts harness itself has contacted, and which requests local-only mode blocked.",
  argumentHint: "[how many]",
  needsSession: false,
  run({ host, cwd }, args) {
    const wanted = args === "" ? SHOWN : Number(args);
    if (!Number.isInteger(wanted) || wanted < 1)
      throw misused("Write /egress, or /egress and how many requests to show.");
    const { entries, total } = host.safety.egress.list(Math.min(wanted, 1000));
    const mode = host.safety.egress.at(cwd).localOnly
      ? "Local-only mode is on: harness connects only to this machine and private networks."
      : "Local-only mode is off: `local_only` in the settings or --local-only turns it on.";
    const what = "Requests of commands and of other programs are not listed.";
    if (total === 0) return `harness has sent nothing since the server started. ${mode} ${what}`;
    const of = total === entries.length ? "" : `, the last ${entries.length} of ${total}`;
    return [`Requests of harness since the server started${of}:`, ...summed(entries), `${mode} ${what}`].join("\n");
  },
};

/** Equal requests in a row share one line. */
function summed(entries: readonly EgressEntry[]): string[] {
  const lines: { text: string; times: number }[] = [];
  for (const { at, purpose, method, origin, refused } of entries) {
    const text = `${purpose}  ${method} ${origin}${refused === undefined ? "" : `  refused: ${refused}`}`;
    const before = lines.at(-1);
    if (before?.text.endsWith(`  ${text}`)) before.times += 1;
    else lines.push({ text: `${at.slice(11, 19)}  ${text}`, times: 1 });
  }
  return lines.map(({ text, times }) => (times === 1 ? text : `${text}  (${times} times)`));
}
