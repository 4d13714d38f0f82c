import { localTime, type SessionHit, visibleText } from "@harness/protocol";
import { CliError } from "../../process/exit-codes.ts";
import type { SubcommandContext, SubcommandHandler } from "../run-subcommand.ts";
import { sessionFilters } from "./session-filters.ts";

const MAX_HITS = 50;

/** `harness session search QUERY`: where something was said or done, in the sessions of every folder unless flags say otherwise. */
export const sessionSearchSubcommand: SubcommandHandler = async (visit) => {
  const { line, say, note } = visit;
  const query = line.positionals.join(" ");
  if (query.trim() === "") throw new CliError("usage", "Give words to search for: harness session search WORDS");
  const { hits, count, problems = [] } = await everywhere(visit, query);
  if (line.has("json")) {
    say(JSON.stringify({ hits, count, ...(problems.length > 0 ? { problems } : {}) }));
    return "done";
  }
  for (const problem of problems) note(`harness: ${problem}`);
  if (hits.length === 0) {
    say(`No session has ${visibleText(query)}.`);
    return "done";
  }
  say(hits.map(hitText).join("\n\n"));
  const more = count > hits.length ? `The best ${hits.length} of ${count} are shown. ` : "";
  note(`harness: ${more}harness -r ID opens one, harness session show ID prints it.`);
  return "done";
};

/** Asks until no session is left: after an update, or the first time, the server has to read all of them. */
async function everywhere(visit: SubcommandContext, query: string) {
  const { client, note, stopping } = visit;
  const filters = sessionFilters(visit);
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const found = await client.call(
      "session/search",
      { query, ...filters, limit: MAX_HITS },
      { signal: stopping.signal },
    );
    if (found.pending === 0) return found;
    if (found.pending >= before) {
      const rest = `${found.pending} sessions are not searched yet. Search again in a minute.`;
      return { ...found, problems: [...(found.problems ?? []), rest] };
    }
    if (before === Number.POSITIVE_INFINITY) note("harness: Sessions are being indexed, which is needed once.");
    before = found.pending;
  }
}

const speakers: Readonly<Record<SessionHit["kind"], string>> = {
  message: "user",
  answer: "agent",
  command: "call",
  file: "file",
};

function hitText({ sessionId, title, folder, agentId, kind, at, excerpt }: SessionHit): string {
  const { date, minutes } = localTime(at);
  const who = agentId === "main" ? speakers[kind] : `${speakers[kind]} of ${agentId}`;
  return `${sessionId} · ${date} ${minutes} · ${folder} · ${visibleText(title)}\n  ${who}: ${visibleText(excerpt)}`;
}
