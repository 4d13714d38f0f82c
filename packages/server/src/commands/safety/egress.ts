import { type EgressEntry, localTime } from "@harness/protocol";
import { misused, type ServerCommand } from "../server-command.ts";

/** The number of rows without an argument, and of requests to examine. */
const SHOWN = 30;
const MAX_READ = 1000;

export const egressCommand: ServerCommand = {
  description: "Which hosts harness itself has contacted, and which requests local-only mode blocked.",
  argumentHint: "[how many]",
  needsSession: false,
  run({ host, workspace }, args) {
    const wanted = args === "" ? SHOWN : Number(args);
    if (!Number.isInteger(wanted) || wanted < 1)
      throw misused("Type /egress, or /egress and the number of rows to show.");
    const { entries, total } = host.records.egress.list(MAX_READ);
    const mode = workspace.safety.egress.localOnly
      ? "Local-only mode is on: harness connects only to this machine and private networks."
      : "Local-only mode is off: `local_only` in the settings or --local-only turns it on.";
    const what = "Requests by commands and other programs are not listed.";
    if (total === 0) return `harness has sent nothing since the server started. ${mode} ${what}`;
    const rows = summed(entries);
    const count = `${total.toLocaleString("en-US")} ${total === 1 ? "request" : "requests"}`;
    const older =
      total > entries.length
        ? [`${(total - entries.length).toLocaleString("en-US")} earlier requests are not listed.`]
        : [];
    const left = rows.length > wanted ? [`${rows.length - wanted} more rows: /egress ${rows.length}`] : [];
    return [
      `${count} by harness since the server started. Equal requests share a row with the time of the last:`,
      ...rows.slice(-wanted),
      ...left,
      ...older,
      `${mode} ${what}`,
    ].join("\n");
  },
};

/** Equal requests share one row, at the time of the last: a model asked all day is one host, not hundreds of rows. */
function summed(entries: readonly EgressEntry[]): string[] {
  const rows = new Map<string, { at: string; times: number }>();
  for (const { at, purpose, method, origin, refused } of entries) {
    const text = `${purpose}  ${method} ${origin}${refused === undefined ? "" : `  refused: ${refused}`}`;
    const times = (rows.get(text)?.times ?? 0) + 1;
    rows.delete(text);
    rows.set(text, { at, times });
  }
  return [...rows].map(([text, { at, times }]) => {
    const row = `${localTime(at).seconds}  ${text}`;
    return times === 1 ? row : `${row}  (${times.toLocaleString("en-US")} times)`;
  });
}
