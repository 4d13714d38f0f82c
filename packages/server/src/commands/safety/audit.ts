import { deciderPhrase } from "@harness/gate";
import { type AuditEntry, localTime } from "@harness/protocol";
import { misused, type ServerCommand } from "../server-command.ts";

const SHOWN = 20;
const MAX_LAST = 1_000;
const USAGE = "Type /audit, /audit last 50, /audit session, /audit session ID, or /audit clear.";

export const auditCommand: ServerCommand = {
  description: "Permission decisions and their reasons, newest last.",
  argumentHint: "[last N | session ID | clear]",
  needsSession: false,
  async run({ host, session }, args) {
    const [what = "", more = "", ...rest] = args.split(/\s+/);
    if (rest.length > 0) throw misused(USAGE);
    if (what === "clear" && more === "") {
      const cleared = await host.records.audit.clear();
      if ("problem" in cleared) return cleared.problem;
      return `The audit log is empty: ${entries(cleared.removedEntries)} removed.`;
    }
    const isSession = what === "session";
    const last = what === "last" && more !== "" ? Number(more) : SHOWN;
    const isUnderstood = what === "" || isSession || (what === "last" && more !== "");
    if (!isUnderstood || !Number.isInteger(last) || last < 1 || last > MAX_LAST) throw misused(USAGE);
    const sessionId = more === "" ? session?.sessionId : more;
    if (isSession && sessionId === undefined) throw misused("Name a session: /audit session ID.");
    const found = await host.records.audit.list({
      last,
      ...(isSession && sessionId !== undefined ? { sessionId } : {}),
    });
    if (found.entries.length === 0) {
      const where = isSession ? ` in session ${sessionId}` : "";
      return [`There are no permission decisions${where} yet.`, ...found.problems].join("\n");
    }
    return [
      ...found.entries.map((entry) => line(entry, isSession)),
      ...found.problems,
      `The whole log: ${host.records.audit.path}`,
    ].join("\n");
  },
};

function line(
  { at, sessionId, tool, text, verdict, by, durationMs, status, exitCode }: AuditEntry,
  isOne: boolean,
): string {
  const ended = durationMs === undefined || durationMs < 100 ? undefined : `${(durationMs / 1000).toFixed(1)} s`;
  const exit =
    exitCode === undefined ? (status === "ok" ? undefined : status) : exitCode === null ? "killed" : `exit ${exitCode}`;
  const end = [ended, exit].filter((each) => each !== undefined).join(", ");
  const where = isOne ? "" : `  [${sessionId}]`;
  const title = text.startsWith(tool) ? text : `${tool} ${text}`;
  const { date, seconds } = localTime(at);
  return `${date} ${seconds}  ${verdict}${deciderPhrase(by)}: ${title.replace(/\s+/g, " ")}${end ? `  (${end})` : ""}${where}`;
}

function entries(count: number): string {
  return count === 1 ? "1 entry was" : `${count.toLocaleString("en-US")} entries were`;
}
