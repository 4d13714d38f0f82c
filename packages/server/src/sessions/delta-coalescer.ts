import type { Delta, SessionUpdate } from "@harness/protocol";

const FLUSH_AFTER_MS = 25;
const FLUSH_AT_CHARACTERS = 4096;

type WaitingDelta = SessionUpdate & { update: Delta };

/**
 * Joins adjacent chunks of the same text, so that a fast model costs a few dozen messages per second instead of
 * thousands. Of the status of a request or a compaction, only the latest is sent. Order is kept: any other update
 * flushes pending chunks.
 */
export class DeltaCoalescer {
  #waiting: WaitingDelta | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #send: (update: SessionUpdate) => void;

  constructor(send: (update: SessionUpdate) => void) {
    this.#send = send;
  }

  push(update: WaitingDelta): void {
    const waiting = this.#waiting;
    if (waiting && join(waiting, update)) {
      if (charactersOf(waiting.update) >= FLUSH_AT_CHARACTERS) this.flush();
      return;
    }
    this.flush();
    this.#waiting = { ...update, update: { ...update.update } };
    this.#timer = setTimeout(() => this.flush(), FLUSH_AFTER_MS);
  }

  /** Sends the pending chunk; must be called before a fact of the same session is sent. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) this.#send(waiting);
  }
}

function join(older: WaitingDelta, newer: WaitingDelta): boolean {
  if (older.agentId !== newer.agentId || textKey(older.update) !== textKey(newer.update)) return false;
  // Equal keys mean equal kinds.
  if (!("offset" in newer.update && "offset" in older.update)) {
    older.update = { ...newer.update };
    return true;
  }
  if (newer.update.offset !== older.update.offset + older.update.text.length) return false;
  older.update.text += newer.update.text;
  return true;
}

function charactersOf(delta: Delta): number {
  return "text" in delta ? delta.text.length : 0;
}

/** Identifies the text that a delta belongs to. */
function textKey(delta: Delta): string {
  const message = "messageId" in delta ? delta.messageId : "compactionId" in delta ? delta.compactionId : "";
  const call = "toolCallId" in delta ? delta.toolCallId : "";
  return `${delta.sessionUpdate} ${message} ${call}`;
}
