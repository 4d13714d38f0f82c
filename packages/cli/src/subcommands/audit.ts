import { type AuditEntry, localTime } from "@harness/protocol";
import { CliError } from "../process/exit-codes.ts";
import { countText, textTable } from "../text/text-table.ts";
import type { SubcommandHandler } from "./run-subcommand.ts";

const HEADER = ["AT", "VERDICT", "BY", "TOOL", "TOOK", "ENDED", "SESSION", "WHAT"];
const SHOWN = 50;
const MAX_LAST = 10_000;

/** `harness audit`: the decisions of the gate in all sessions. */
export const auditSubcommand: SubcommandHandler = async ({ client, line, say, note }) => {
  const sessionId = line.value("session");
  const last = lastOf(line.value("last"));
  if (line.has("clear")) {
    if (sessionId !== undefined || line.value("last") !== undefined)
      throw new CliError("usage", "--clear empties the whole log: leave --session and --last out.");
    const { removedEntries } = await client.call("audit/clear", {});
    if (line.has("json")) say(JSON.stringify({ removedEntries }));
    else
      say(
        `The audit log is empty: ${removedEntries === 1 ? "1 entry was" : `${countText(removedEntries)} entries were`} removed.`,
      );
    return "done";
  }
  const found = await client.call("audit/list", { last, ...(sessionId === undefined ? {} : { sessionId }) });
  for (const problem of found.problems) note(`harness: ${problem}`);
  if (line.has("json")) say(JSON.stringify(found));
  else if (found.entries.length === 0)
    say(`Nothing was decided${sessionId === undefined ? "" : ` in session ${sessionId}`} yet.`);
  else say(textTable(HEADER, found.entries.map(row), process.stdout.columns));
  return "done";
};

function lastOf(text: string | undefined): number {
  const last = text === undefined ? SHOWN : Number(text);
  if (Number.isInteger(last) && last >= 1 && last <= MAX_LAST) return last;
  throw new CliError("usage", `--last takes a whole number from 1 to ${countText(MAX_LAST)}, not "${text}".`);
}

function row({ at, verdict, by, tool, durationMs, status, exitCode, sessionId, text }: AuditEntry): string[] {
  const took = durationMs === undefined || durationMs < 100 ? "" : `${(durationMs / 1000).toFixed(1)} s`;
  const ended = exitCode === undefined || exitCode === null ? (status ?? "") : `exit ${exitCode}`;
  const { date, seconds } = localTime(at);
  return [`${date} ${seconds}`, verdict, by, tool, took, ended, sessionId, text];
}
