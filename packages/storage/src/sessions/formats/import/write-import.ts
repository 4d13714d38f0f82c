import { createHash } from "node:crypto";
import { makeTitle, type SessionLog, type SessionStore } from "@harness/core";
import { type Content, type Fact, ROOT_AGENT, textOf } from "@harness/protocol";
import { makeSessionId } from "../../session-id.ts";
import { importedTime, writeImported } from "../imported-session.ts";
import { type ImportedMessage, leftText } from "./import-draft.ts";
import type { TakenSession } from "./import-formats.ts";

/** The provider named for replies that harness did not request. */
const PROVIDER = "import";
const MAX_TITLE_CHARS = 200;
/** The beginning of an id, up to the second. */
const DATE_CHARS = "20261121-143022-".length;

/**
 * `isKnown`: it was imported before unchanged, and nothing was written. `earlier`: sessions imported before that have
 * its beginning.
 */
export type WrittenImport = { sessionId: string; isKnown: boolean; earlier: string[] };

/**
 * Writes a conversation as a new session, message by message, and returns the session's id. Rejects with a
 * `LogWriteError`; then there is no new session.
 */
export async function writeImport(
  store: SessionStore,
  taken: TakenSession,
  { cwd, now }: { cwd: string; now: string },
): Promise<WrittenImport> {
  const { title, from, startedAt } = taken;
  const own = idOf(taken, cwd);
  if (own !== undefined && store.folderOf(own) !== undefined) return { sessionId: own, isKnown: true, earlier: [] };
  const sessionId = own === undefined || store.bin.has(own) ? store.newSessionId() : own;
  const earlier = own === undefined ? [] : store.ids().filter((id) => id.startsWith(own.slice(0, DATE_CHARS)));
  const createdAt = importedTime(startedAt) ?? now;
  const write = (log: SessionLog) => {
    let turn = 0;
    let at = createdAt;
    let turnId = "";
    const append = (update: Fact) =>
      void log.append({ agentId: ROOT_AGENT, ...(turnId ? { turnId } : {}), at, update });
    const endTurn = () => append({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    let isNamed = title !== undefined;
    if (title !== undefined) append({ sessionUpdate: "session_info_update", title: title.slice(0, MAX_TITLE_CHARS) });
    let count = 0;
    taken.forEachMessage((message) => {
      const first = isNamed || message.by === "agent" ? undefined : makeTitle(textOf(message.content));
      if (first) append({ sessionUpdate: "session_info_update", title: first, origin: { by: "message" } });
      isNamed ||= first !== undefined;
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
  return { sessionId, isKnown: false, earlier };
}

/** Equal for the same conversation in the same folder. Undefined if its beginning has no known time. */
function idOf({ startedAt, from, forEachMessage }: TakenSession, cwd: string): string | undefined {
  const began = importedTime(startedAt);
  if (began === undefined) return undefined;
  const hash = createHash("sha256").update(JSON.stringify([from, cwd]));
  forEachMessage(({ by, at, content }) => void hash.update(JSON.stringify([by, at, content])));
  return makeSessionId(Date.parse(began), hash.digest());
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
