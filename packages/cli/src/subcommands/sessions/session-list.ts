import type { SessionSummary } from "@harness/protocol";
import { textTable } from "../../text/text-table.ts";
import type { SubcommandHandler } from "../run-subcommand.ts";

const HEADER = ["SESSION", "CHANGED", "TURNS", "MODEL", "TITLE"];

/** `harness session list`: the sessions of the folder, newest first. */
export const sessionList: SubcommandHandler = async ({ client, line, cwd, say, note }) => {
  const found = await client.call("session/list", { cwd, limit: 100 });
  if (line.has("json")) say(JSON.stringify(found));
  else if (found.sessions.length === 0) say("This folder has no sessions.");
  else say(textTable(HEADER, found.sessions.map(row), process.stdout.columns));
  if (found.nextCursor !== undefined && !line.has("json")) note("harness: only the newest 100 are shown.");
  return "done";
};

function row({ sessionId, updatedAt, turns, model = "", title, preview }: SessionSummary): string[] {
  return [sessionId, updatedAt.slice(0, 16).replace("T", " "), String(turns), model, title ?? preview];
}
