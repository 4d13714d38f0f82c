import {
  amount,
  type Fact,
  localTime,
  ROOT_AGENT,
  rewoundFacts,
  type SessionUpdate,
  textOf,
  type UpdateOf,
  visibleText,
} from "@harness/protocol";
import type { SubcommandContext, SubcommandHandler } from "../run-subcommand.ts";

const PAGE = 500;

/** `harness session show ID`: what was said in a session by its user and its main agent, and the calls between. */
export const sessionShowSubcommand: SubcommandHandler = async (visit) => {
  const { client, line, say } = visit;
  const { session } = await client.call("session/get", { sessionId: line.positionals[0] ?? "" });
  const { sessionId, title, cwd, createdAt, model, turns } = session;
  if (line.has("json")) {
    say(JSON.stringify(session));
    for await (const event of eventsOf(visit, sessionId)) say(JSON.stringify(event));
    return "done";
  }
  const { date, minutes } = localTime(createdAt);
  const facts = [sessionId, `${date} ${minutes}`, cwd, model, amount(turns, "turn")];
  const heading = title === undefined ? [] : [visibleText(title)];
  say([...heading, facts.filter((each) => each !== undefined).join(" · ")].join("\n"));
  const isHidden = rewoundFacts(await rewindsOf(visit, sessionId));
  const titles = new Map<string, string>();
  for await (const event of eventsOf(visit, sessionId)) {
    const { agentId, seq = 0, update } = event;
    if (agentId !== ROOT_AGENT) continue;
    if (update.sessionUpdate === "tool_call_update" && update.title !== undefined)
      titles.set(update.toolCallId, update.title);
    const text = isHidden({ agentId, seq, update: update as Fact }) ? undefined : updateLine(event, titles);
    if (text !== undefined) say(text);
  }
  return "done";
};

async function* eventsOf({ client }: SubcommandContext, sessionId: string): AsyncGenerator<SessionUpdate, void> {
  for (let after = 0; ; ) {
    const { events, more } = await client.call("session/history", { sessionId, after, limit: PAGE });
    yield* events as SessionUpdate[];
    after = events.at(-1)?.seq ?? 0;
    if (!more || events.length === 0) return;
  }
}

async function rewindsOf(visit: SubcommandContext, sessionId: string) {
  const rewinds: { seq: number; update: UpdateOf<"rewind_update"> }[] = [];
  for await (const { seq = 0, update } of eventsOf(visit, sessionId))
    if (update.sessionUpdate === "rewind_update") rewinds.push({ seq, update });
  return rewinds;
}

/** The conversation as lines; undefined for updates that only programs need. `titles`: of calls. */
function updateLine({ update }: SessionUpdate, titles: ReadonlyMap<string, string>): string | undefined {
  if (update.sessionUpdate === "user_message") return messageLine(update);
  if (update.sessionUpdate === "tool_call_update" && update.title !== undefined && update.outcome === undefined)
    return `· ${visibleText(update.title)}`;
  // A call whose files were edited is shown again.
  if (update.sessionUpdate === "tool_call_update" && update.fromFile)
    return `· ${visibleText(titles.get(update.toolCallId) ?? update.name ?? "")}`;
  if (update.sessionUpdate === "rewind_update" && update.title !== undefined) return `\n(${visibleText(update.title)})`;
  if (update.sessionUpdate === "state_update" && update.output) return `\n${update.output.trim()}`;
  if (update.sessionUpdate !== "agent_message") return undefined;
  const text = textOf(update.parts);
  return text.trim() === "" ? undefined : `\n${text.trim()}`;
}

/** Only messages of the person stand there without their sender; those of harness itself are for the model. */
function messageLine({ origin, content, fromAgentId }: UpdateOf<"user_message">): string | undefined {
  if (origin === "harness") return undefined;
  const sender = origin === "user" ? "" : `[from ${visibleText(fromAgentId ?? "another agent")}] `;
  return `\n> ${sender}${textOf(content).replaceAll("\n", "\n> ")}`;
}
