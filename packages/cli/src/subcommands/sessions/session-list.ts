import type { HarnessClient } from "@harness/client";
import { type CallParams, localTime, type ServerMethods, type SessionSummary } from "@harness/protocol";
import { CliError } from "../../process/exit-codes.ts";
import { textTable } from "../../text/text-table.ts";
import type { SubcommandContext, SubcommandHandler } from "../run-subcommand.ts";
import { sessionFilters } from "./session-filters.ts";

const HEADER = ["SESSION", "CHANGED", "TURNS", "MODEL", "FOLDER", "TITLE"];
const BIN_HEADER = ["SESSION", "DELETED", "DAYS LEFT", "FOLDER", "TITLE"];
const MAX_SHOWN = 100;
const MAX_PAGE = 500;

type ListQuery = Omit<CallParams<ServerMethods, "session/list">, "cursor" | "limit">;

/** `harness sessions`: the sessions of the folder, or of all, newest first. */
export const sessionListSubcommand: SubcommandHandler = async (visit) => {
  const { client, line, say, note } = visit;
  if (line.has("live")) return await (await import("./live-list.ts")).liveListSubcommand(visit);
  const query = queryOf(visit);
  if (line.has("json")) {
    say(JSON.stringify(await everySession(client, query)));
    return "done";
  }
  const {
    sessions,
    nextCursor,
    problems = [],
  } = await client.call("session/list", {
    ...query,
    runsLast: true,
    limit: MAX_SHOWN,
  });
  for (const problem of problems) note(`harness: ${problem}`);
  if (sessions.length === 0) {
    say(nothingText(query, { isFiltered: line.has("model") || line.has("since") || line.has("folder") }));
    return "done";
  }
  const isAll = query.cwd === undefined;
  const rows = sessions.map((each) => (query.deleted ? binRow(each) : row(each, isAll ? each.cwd : "")));
  say(textTable(query.deleted ? BIN_HEADER : HEADER, rows, process.stdout.columns));
  note(
    query.deleted
      ? "harness: harness session restore ID brings one back."
      : "harness: harness -r ID opens one, harness session show ID prints it.",
  );
  if (nextCursor !== undefined) note(`harness: only the newest ${MAX_SHOWN} are shown; --json has all.`);
  return "done";
};

/** The bin is that of all folders. */
function queryOf(visit: Pick<SubcommandContext, "line" | "cwd">): ListQuery {
  const { line, cwd } = visit;
  const deleted = line.has("deleted");
  if (line.has("all") && line.has("folder")) throw new CliError("usage", "--all and --folder cannot be combined.");
  if (deleted && line.has("archived")) throw new CliError("usage", "--deleted and --archived cannot be combined.");
  const { folder = line.has("all") || deleted ? undefined : cwd, ...filters } = sessionFilters(visit);
  return { ...filters, ...(folder === undefined ? {} : { cwd: folder }), ...(deleted ? { deleted } : {}) };
}

function nothingText({ cwd, archived, deleted }: ListQuery, { isFiltered }: { isFiltered: boolean }): string {
  if (isFiltered) return "There are no such sessions.";
  if (deleted) return "The bin is empty.";
  if (archived) return `The archive has no sessions${cwd === undefined ? "" : " of this folder"}.`;
  return cwd === undefined
    ? "There are no sessions yet."
    : "There are no sessions in this folder. --all lists every folder's.";
}

async function everySession(client: HarnessClient, query: ListQuery) {
  const sessions: SessionSummary[] = [];
  const problems = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page = await client.call("session/list", { ...query, limit: MAX_PAGE, ...(cursor ? { cursor } : {}) });
    sessions.push(...page.sessions);
    for (const problem of page.problems ?? []) problems.add(problem);
    cursor = page.nextCursor;
    if (cursor === undefined) return { sessions, ...(problems.size > 0 ? { problems: [...problems] } : {}) };
  }
}

function row({ sessionId, updatedAt, turns, model = "", title, preview }: SessionSummary, folder: string): string[] {
  const { date, minutes } = localTime(updatedAt);
  return [sessionId, `${date} ${minutes}`, String(turns), model, folder, title ?? preview];
}

function binRow({ sessionId, deleted, cwd, title, preview }: SessionSummary): string[] {
  const { date, minutes } = localTime(deleted?.at ?? "");
  return [sessionId, `${date} ${minutes}`, String(deleted?.daysLeft ?? ""), cwd, title ?? preview];
}
