import { localTime, type SessionConfig, type SessionSummary } from "@harness/protocol";
import { textTable } from "../../text/text-table.ts";
import type { LineContext } from "./line-context.ts";

const MAX_LISTED = 20;

/** Opens a session by number or id, or lets the user choose from a list. Returns false if none was opened. */
export async function chooseSession(
  { mode, lines, cwd }: LineContext,
  wanted = "",
  config?: SessionConfig,
): Promise<boolean> {
  const { sessions } = await mode.client.call("session/list", { cwd, limit: MAX_LISTED });
  let chosen = wanted;
  if (chosen === "") {
    if (sessions.length === 0) {
      lines.print("There are no sessions in this folder yet.");
      return false;
    }
    lines.print(textTable(["NUMBER", "CHANGED", "TITLE"], sessions.map(row), process.stdout.columns));
    chosen = ((await lines.line("number or id (empty: none)> ")) ?? "").trim();
  }
  if (chosen === "") return false;
  const numbered = /^\d{1,2}$/.test(chosen) ? sessions[Number(chosen) - 1] : undefined;
  await mode.open(numbered?.sessionId ?? chosen, { config });
  return true;
}

function row({ updatedAt, title, preview }: SessionSummary, at: number): string[] {
  const { date, minutes } = localTime(updatedAt);
  return [String(at + 1), `${date} ${minutes}`, title ?? preview];
}
