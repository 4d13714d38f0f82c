import type { SessionLog, SessionStore } from "@harness/core";
import { type Content, type Fact, ROOT_AGENT, textOf } from "@harness/protocol";
import { importedTime, writeImported } from "../imported-session.ts";
import { type ImportedMessage, leftText } from "./import-draft.ts";
import type { TakenSession } from "./import-formats.ts";

/** The provider of replies that no request of harness brought. */
const PROVIDER = "import";
const MAX_TITLE_CHARS = 200;

/** Writes a conversation as a new session, message by message, and returns its id. Rejects with a `LogWriteError`: then there is no session. */
export async function writeImport(
  store: SessionStore,
  taken: TakenSession,
  { cwd, now }: { cwd: string; now: string },
): Promise<string> {
  const { title, from, startedAt } = taken;
  const sessionId = store.newSessionId();
  const createdAt = importedTime(startedAt) ?? now;
  const write = (log: SessionLog) => {
    let turn = 0;
    let at = createdAt;
    let turnId = "";
    const append = (update: Fact) =>
      void log.append({ agentId: ROOT_AGENT, ...(turnId ? { turnId } : {}), at, update });
    const endTurn = () => append({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    if (title !== undefined) append({ sessionUpdate: "session_info_update", title: title.slice(0, MAX_TITLE_CHARS) });
    let count = 0;
    taken.forEachMessage((message) => {
      if (message.by === "person" || turn === 0) {
        if (turn > 0) endTurn();
        turn += 1;
        turnId = `import-${turn}`;
        at = importedTime(message.at) ?? at;
        append({ sessionUpdate: "state_update", state: "running" });
      }
      at = importedTime(message.at) ?? at;
      count += 1;
      append(factOf(message, `import-m${count}`));
    });
    endTurn();
    turnId = "";
    at = now;
    append({
      sessionUpdate: "notice",
      severity: "info",
      title: `Imported from ${from}.`,
      description: leftText(taken),
    });
  };
  await writeImported(store, { sessionId, cwd, createdAt }, { isForeign: false, write });
  return sessionId;
}

function factOf({ by, content, model }: ImportedMessage, messageId: string): Fact {
  if (by === "person") return { sessionUpdate: "user_message", messageId, content: [...content], origin: "user" };
  return {
    sessionUpdate: "agent_message",
    messageId,
    parts: [{ type: "text", text: textOf(content as Content[]).trim() }],
    stop: "end",
    provider: PROVIDER,
    model: model ?? "unknown",
  };
}
