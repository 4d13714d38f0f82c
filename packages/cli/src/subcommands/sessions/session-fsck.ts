import { amount } from "@harness/protocol";
import { CliError } from "../../process/exit-codes.ts";
import type { SubcommandContext, SubcommandHandler } from "../run-subcommand.ts";

const MAX_TITLE = 180;

/** `harness session fsck [ID] [--all] [--repair]`: says what is wrong in a session's files; a repair is a new session. */
export const sessionFsckSubcommand: SubcommandHandler = async (visit) => {
  const { client, line, say } = visit;
  const [sessionId] = line.positionals;
  if ((sessionId === undefined) !== line.has("all"))
    throw new CliError("usage", "Name a session, or check all of them: harness session fsck ID, or --all.");
  const { checked, sessions } = await client.call("session/check", sessionId === undefined ? {} : { sessionId });
  const damaged = sessions.filter(({ faults }) => faults.some(({ isHarmless }) => !isHarmless));
  const copies = line.has("repair") ? await copiesOf(visit, damaged) : [];
  if (line.has("json")) {
    say(JSON.stringify({ checked, sessions, ...(line.has("repair") && { copies }) }));
    return damaged.length === 0 ? "done" : "failed";
  }
  for (const session of sessions) report(visit, session);
  say(summary(checked, damaged.length));
  for (const { of, sessionId: copy, left } of copies) say(`Copied ${of} to ${copy}. ${left}`);
  if (damaged.length > 0 && !line.has("repair"))
    visit.note("harness: --repair makes a copy with all that can be read; the damaged session stays as it is.");
  return damaged.length === 0 ? "done" : "failed";
};

type CheckedSession = { sessionId: string; folder: string; facts: number; faults: Fault[] };
type Fault = { path: string; line?: number | undefined; what: string };

function report({ say }: SubcommandContext, { sessionId, facts, faults }: CheckedSession): void {
  say(
    `${sessionId}: ${amount(facts, "entry", "entries")} can be read${faults.length === 0 ? ", and nothing is wrong." : "."}`,
  );
  for (const { path, line, what } of faults) say(`  ${path}${line === undefined ? "" : `:${line}`}\n    ${what}`);
}

function summary(checked: number, damaged: number): string {
  const all = `${amount(checked, "session")} checked`;
  return damaged === 0 ? `${all}: nothing is lost.` : `${all}: ${damaged} damaged.`;
}

async function copiesOf({ client }: SubcommandContext, damaged: readonly CheckedSession[]) {
  const copies: { of: string; sessionId: string; left: string }[] = [];
  for (const { sessionId: of, folder, facts } of damaged) {
    if (facts === 0) continue;
    const { sessionId, left } = await client.call("session/import", { path: folder });
    const { session } = await client.call("session/get", { sessionId });
    await client.call("session/set_title", {
      sessionId,
      title: `${(session.title ?? of).slice(0, MAX_TITLE).toWellFormed()} (repaired)`,
    });
    copies.push({ of, sessionId, left });
  }
  return copies;
}
