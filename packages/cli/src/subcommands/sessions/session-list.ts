import type { HarnessClient } from "@harness/client";
import { localTime, type SessionSummary } from "@harness/protocol";
import { textTable } from "../../text/text-table.ts";
import type { SubcommandHandler } from "../run-subcommand.ts";

const HEADER = ["SESSION", "CHANGED", "TURNS", "MODEL", "FOLDER", "TITLE"];
const MAX_SHOWN = 100;
const MAX_PAGE = 500;

/** `harness sessions`: the sessions of the folder, or of all, newest first. */
export const sessionListSubcommand: SubcommandHandler = async ({ client, line, cwd, say, note }) => {
  const isAll = line.has("all");
  const where = isAll ? {} : { cwd };
  if (line.has("json")) {
    say(JSON.stringify(await everySession(client, where)));
    return "done";
  }
  const { sessions, nextCursor, problems = [] } = await client.call("session/list", { ...where, limit: MAX_SHOWN });
  for (const problem of problems) note(`harness: ${problem}`);
  if (sessions.length === 0) {
    say(isAll ? "There are no sessions yet." : "There are no sessions in this folder. --all lists every folder's.");
    return "done";
  }
  say(
    textTable(
      HEADER,
      sessions.map((each) => row(each, isAll ? each.cwd : "")),
      process.stdout.columns,
    ),
  );
  note("harness: harness -r ID opens one, harness session show ID prints it.");
  if (nextCursor !== undefined) note(`harness: only the newest ${MAX_SHOWN} are shown; --json has all.`);
  return "done";
};

async function everySession(client: HarnessClient, where: { cwd?: string }) {
  const sessions: SessionSummary[] = [];
  const problems = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page = await client.call("session/list", { ...where, limit: MAX_PAGE, ...(cursor ? { cursor } : {}) });
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
