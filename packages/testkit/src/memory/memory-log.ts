import {
  type FactPage,
  type FactRange,
  type LoadedSession,
  LogWriteError,
  memoryPages,
  type OutsideChange,
  type SessionHeader,
  type SessionLog,
} from "@harness/core";
import {
  digestView,
  type Fact,
  newSessionDigest,
  ROOT_AGENT,
  type SessionDigest,
  type StoredFact,
} from "@harness/protocol";

type Entry = { agentId: string; turnId?: string; at: string; update: Fact };

/** A session log in memory, one JSON line per fact as on disk. Appending can be made to fail. */
export class MemoryLog implements SessionLog {
  readonly header: SessionHeader;
  readonly isBegunHere = true;
  readonly lines: string[];
  isClosed = false;
  /** How often `append` was called, including failures. */
  attempts = 0;
  /** Says why this attempt (1 = the first) fails; undefined if it is stored. */
  failure: (attempt: number, entry: Entry) => string | undefined = () => undefined;
  readonly #agents = new Set([ROOT_AGENT]);
  #blobs = 0;
  readonly location = undefined;
  /** The next answer of `outsideChanges`. */
  readonly changedOutside: OutsideChange[] = [];
  readonly savedTexts = ["/blobs"];
  /** The saved texts, by path. */
  readonly texts = new Map<string, string>();

  /** `lines`: from an earlier process. */
  constructor(sessionId = "s1", cwd = "/work", lines: readonly string[] = []) {
    this.header = { sessionId, cwd, createdAt: "2026-11-21T00:00:00.000Z", version: 1 };
    this.lines = [...lines];
    for (const { agentId } of this.facts) this.#agents.add(agentId);
  }

  get digest(): SessionDigest {
    const digest = newSessionDigest(this.header);
    const view = digestView(digest);
    for (const fact of this.facts) view.see(fact);
    return { ...digest, subagents: this.#agents.size - 1 };
  }

  get facts(): StoredFact[] {
    return this.lines.map((line) => JSON.parse(line) as StoredFact);
  }

  append(entry: Entry): StoredFact {
    this.attempts += 1;
    if (this.isClosed) throw new LogWriteError("the log is closed");
    if (!this.#agents.has(entry.agentId)) throw new Error(`no agent ${entry.agentId} was added`);
    const failure = this.failure(this.attempts, entry);
    if (failure !== undefined) throw new LogWriteError(failure);
    const stored: StoredFact = { seq: this.lines.length + 1, ...entry };
    this.lines.push(JSON.stringify(stored));
    return stored;
  }

  addAgent(agentId: string, parentAgentId: string): void {
    if (!this.#agents.has(parentAgentId)) throw new Error(`no parent ${parentAgentId}`);
    this.#agents.add(agentId);
  }

  outsideChanges(): readonly OutsideChange[] {
    return this.changedOutside.splice(0);
  }

  read(range?: FactRange): FactPage {
    return memoryPages(() => this.facts).read(range);
  }

  /** As the next process finds it. */
  get loaded(): LoadedSession {
    return { header: this.header, read: (range) => this.read(range) };
  }

  isOwnText(path: string): boolean {
    return /^\/blobs\/[^/]+$/.test(path);
  }

  newBlob(suffix: string): string {
    this.#blobs += 1;
    return `/blobs/${this.#blobs}${suffix}`;
  }

  saveText(text: string): string {
    const path = this.newBlob(".txt");
    this.texts.set(path, text);
    return path;
  }

  close(): void {
    this.isClosed = true;
  }
}
