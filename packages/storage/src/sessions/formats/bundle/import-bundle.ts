import type { SessionLog, SessionStore } from "@harness/core";
import { writeOwnFile } from "@harness/host";
import { type Fact, facts, isFactKind, ROOT_AGENT } from "@harness/protocol";
import { isFolderName } from "../../session-folder.ts";
import { isSessionId } from "../../session-id.ts";
import { MovedPaths } from "./moved-paths.ts";
import type { Bundle } from "./read-bundle.ts";

/** More lost facts in a row than any damage leaves. */
const MAX_GAP = 10_000;

type BundleImport = { sessionId: string; messages: number; left: string };
type Target = { cwd: string; now: string };

/**
 * Writes the session of a bundle into the store: under its own id if that is free, and as one that others may have written. Each fact
 * is validated; a notice takes the place of a fact that is missing or fits no schema, for facts name each other by number.
 */
export function importBundle(store: SessionStore, bundle: Bundle, { cwd, now }: Target): BundleImport {
  const session = Object(bundle.head.session);
  const wanted = String(session.sessionId);
  const isFree = isSessionId(wanted) && "problem" in store.load(wanted);
  const sessionId = isFree ? wanted : store.newSessionId();
  const createdAt = Number.isNaN(Date.parse(session.createdAt)) ? now : String(session.createdAt);
  const log = store.create({ sessionId, cwd, createdAt, version: 1, client: "import" }, { isForeign: true });
  const paths = new MovedPaths({ from: String(session.cwd ?? ""), to: cwd });
  const copy = new FactCopy(log, now);
  try {
    for (const row of bundle.rows()) {
      if ("blob" in row) takeBlob(log, Object(row.blob), paths);
      else if ("fact" in row) copy.take(Object(row.fact), paths);
    }
  } finally {
    log.close();
  }
  return { sessionId, messages: copy.messages, left: leftText(copy.replaced, paths.mentions) };
}

function takeBlob(log: SessionLog, { path: old, data }: { path?: unknown; data?: unknown }, paths: MovedPaths): void {
  if (typeof old !== "string" || typeof data !== "string") return;
  const suffix = /\.[A-Za-z0-9]{1,8}$/.exec(old)?.[0] ?? ".txt";
  const path = log.newBlob(suffix);
  writeOwnFile(path, Buffer.from(data, "base64"));
  paths.addSavedText(old, path);
}

class FactCopy {
  messages = 0;
  replaced = 0;
  readonly #log: SessionLog;
  readonly #now: string;
  #seq = 0;
  readonly #agents = new Set<string>([ROOT_AGENT]);

  constructor(log: SessionLog, now: string) {
    this.#log = log;
    this.#now = now;
  }

  take(
    fact: { seq?: unknown; at?: unknown; agentId?: unknown; turnId?: unknown; update?: unknown },
    paths: MovedPaths,
  ): void {
    const { seq, at, agentId, turnId } = fact;
    const gap = Number(seq) - this.#seq - 1;
    if (!(Number.isSafeInteger(seq) && gap >= 0 && gap <= MAX_GAP)) {
      this.replaced += 1;
      return;
    }
    for (let lost = 0; lost < gap; lost += 1) this.#replace();
    const update = factOf(paths.moved(fact.update));
    if (!update || typeof agentId !== "string" || !this.#agents.has(agentId)) {
      this.#replace();
      return;
    }
    if (update.sessionUpdate === "subagent_update" && !this.#agents.has(update.childAgentId)) {
      this.#agents.add(update.childAgentId);
      this.#log.addAgent(update.childAgentId, agentId);
    }
    if (update.sessionUpdate === "user_message" || update.sessionUpdate === "agent_message") this.messages += 1;
    const time = typeof at === "string" ? at : this.#now;
    this.#append({ agentId, ...(typeof turnId === "string" ? { turnId } : {}), at: time, update });
  }

  #replace(): void {
    this.replaced += 1;
    const update: Fact = {
      sessionUpdate: "notice",
      severity: "warning",
      title: "Something that was here could not be read.",
    };
    this.#append({ agentId: ROOT_AGENT, at: this.#now, update });
  }

  #append(entry: Parameters<SessionLog["append"]>[0]): void {
    this.#seq = this.#log.append(entry).seq;
  }
}

/** Undefined where it fits no schema, or could lead to a folder outside the session. */
function factOf(value: unknown): Fact | undefined {
  const kind = String(Object(value).sessionUpdate);
  if (!isFactKind(kind)) return undefined;
  const update = facts[kind].schema.safeParse(value);
  if (!update.success) return undefined;
  const fact = value as Fact;
  return fact.sessionUpdate === "subagent_update" && !isFolderName(fact.childAgentId) ? undefined : fact;
}

function leftText(replaced: number, mentions: number): string {
  const sentences = [
    ...(replaced > 0 ? [`Facts that could not be read: ${replaced}.`] : []),
    ...(mentions > 0 ? [`Texts that still name the old folder: ${mentions}.`] : []),
  ];
  return sentences.length === 0 ? "Everything was taken over." : sentences.join(" ");
}
