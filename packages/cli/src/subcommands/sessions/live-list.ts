import type { LiveSessionView } from "@harness/protocol";
import { textTable } from "../../text/text-table.ts";
import type { SubcommandContext, SubcommandHandler } from "../run-subcommand.ts";
import { chooseOnTerminal } from "../setup/menu.ts";
import { answerSession } from "./live-asks.ts";
import { reachable } from "./live-session.ts";

const HEADER = ["SESSION", "STATE", "CLIENTS", "FOLDER", "TITLE"];

const states: Record<LiveSessionView["state"], string> = {
  requires_action: "waits for an answer",
  running: "running",
  waiting: "running",
  idle: "idle",
};

/** `harness sessions --live`: the sessions that any server of this person holds; one that waits can be answered. */
export const liveListSubcommand: SubcommandHandler = async (visit) => {
  const { client, line, say, note } = visit;
  const found = await client.call("session/live", {});
  if (line.has("json")) {
    say(JSON.stringify(found));
    return "done";
  }
  const { sessions, problems = [] } = found;
  for (const problem of problems) note(`harness: ${problem}`);
  if (sessions.length === 0) {
    say("No server holds a session at the moment.");
    return "done";
  }
  say(textTable(HEADER, sessions.map(row), process.stdout.columns));
  note("harness: harness attach ID looks at one, harness stop ID ends it.");
  if (process.stdin.isTTY && process.stdout.isTTY) await answerWaiting(visit, sessions);
  return "done";
};

function row({ sessionId, state, clients, cwd, title, preview, asks }: LiveSessionView): string[] {
  return [sessionId, states[state], String(clients), cwd, asks[0] ?? title ?? preview];
}

/** Offers to answer the sessions that wait, one after another. */
async function answerWaiting(visit: SubcommandContext, sessions: readonly LiveSessionView[]): Promise<void> {
  const { stopping, note } = visit;
  for (const session of sessions.filter(({ asks, socketPath }) => asks.length > 0 && socketPath !== undefined)) {
    const { sessionId, title, preview, asks } = session;
    note(`\n${sessionId}  ${title ?? preview}\n${asks.map((each) => `  ${each}`).join("\n")}`);
    // A key that was typed before the question was there changes nothing: the first row leaves it open.
    const chosen = await chooseOnTerminal(
      [
        { label: "Leave it open", detail: "" },
        { label: "Answer here", detail: asks.length > 1 ? `${asks.length} requests` : "" },
      ],
      { question: "This session waits for an answer.", ...stopping },
    );
    if (stopping.signal.aborted) return;
    if (chosen === 1) await answerSession(reachable(session), visit);
  }
}
