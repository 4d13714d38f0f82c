import type { LiveSessionView, Permission } from "@harness/protocol";
import { permissionSubject } from "../../text/permission-subject.ts";
import { textTable } from "../../text/text-table.ts";
import type { SubcommandContext, SubcommandHandler } from "../run-subcommand.ts";
import { chooseOnTerminal } from "../setup/menu.ts";
import { clientOf, reachable } from "./live-session.ts";

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
  if (process.stdin.isTTY && process.stdout.isTTY) await answerOpen(visit, sessions);
  return "done";
};

function row({ sessionId, state, clients, cwd, title, preview, asks }: LiveSessionView): string[] {
  return [sessionId, states[state], String(clients), cwd, asks[0] ?? title ?? preview];
}

/** Asks about the open requests, one after another. */
async function answerOpen({ stopping, note }: SubcommandContext, sessions: readonly LiveSessionView[]): Promise<void> {
  for (const session of sessions.filter(({ asks }) => asks.length > 0)) {
    const { sessionId } = session;
    const client = await clientOf(reachable(session));
    try {
      const { pending } = await client.call("permission/list", { sessionId });
      // Collected edits are decided one by one, which needs the window.
      for (const { permission } of pending.filter((each) => each.permission.review === undefined)) {
        note(`\n${sessionId}\n${permissionSubject(permission)}`);
        const optionId = await chosen(permission, stopping);
        if (optionId === undefined) continue;
        const { permissionId } = permission;
        const outcome = { outcome: "selected", optionId } as const;
        await client.call("permission/reply", { sessionId, permissionId, outcome });
      }
    } finally {
      client.destroy();
    }
  }
}

/** A key that was typed before the question was there changes nothing: the first row leaves it open. */
async function chosen(
  { options }: Permission,
  { signal, interrupt }: SubcommandContext["stopping"],
): Promise<string | undefined> {
  const rows = [
    { label: "Leave it open", detail: "" },
    ...options.map(({ name, covers = "" }) => ({ label: name, detail: covers })),
  ];
  const at = await chooseOnTerminal(rows, { question: "Your answer:", signal, interrupt });
  return at === undefined || at === 0 ? undefined : options[at - 1]?.optionId;
}
