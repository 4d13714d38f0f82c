import { localTime, type SessionUpdate, textOf, visibleText } from "@harness/protocol";
import type { SubcommandHandler } from "../run-subcommand.ts";

/** `harness session show ID`: what was said in a session by its user and its main agent, and the calls between. */
export const sessionShowSubcommand: SubcommandHandler = async ({ client, line, say }) => {
  const { session } = await client.call("session/get", { sessionId: line.positionals[0] ?? "" });
  const { sessionId, title, cwd, createdAt, model, turns } = session;
  if (line.has("json")) say(JSON.stringify(session));
  else {
    const { date, minutes } = localTime(createdAt);
    const count = `${turns} ${turns === 1 ? "turn" : "turns"}`;
    const facts = [sessionId, `${date} ${minutes}`, cwd, model, count].filter((each) => each !== undefined);
    say(`${title === undefined ? "" : `${visibleText(title)}\n`}${facts.join(" · ")}`);
  }
  for (let after = 0; ; ) {
    const { events, more } = await client.call("session/history", { sessionId, after, limit: 500 });
    for (const event of events) {
      const text = line.has("json") ? JSON.stringify(event) : updateLine(event as SessionUpdate);
      if (text !== undefined) say(text);
    }
    after = events.at(-1)?.seq ?? 0;
    if (!more || events.length === 0) return "done";
  }
};

/** The conversation as lines; undefined for updates that only programs need. */
function updateLine({ agentId, update }: SessionUpdate): string | undefined {
  if (agentId !== "main") return undefined;
  if (update.sessionUpdate === "user_message") return `\n> ${textOf(update.content).replaceAll("\n", "\n> ")}`;
  if (update.sessionUpdate === "tool_call_update" && update.title !== undefined && update.outcome === undefined)
    return `· ${visibleText(update.title)}`;
  if (update.sessionUpdate === "state_update" && update.output) return `\n${update.output.trim()}`;
  if (update.sessionUpdate !== "agent_message") return undefined;
  const text = update.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  return text.trim() === "" ? undefined : `\n${text.trim()}`;
}
