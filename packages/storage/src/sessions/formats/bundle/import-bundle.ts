import { LogWriteError, type SessionLog, type SessionStore } from "@harness/core";
import { diskProblem } from "@harness/host";
import { amount, type Fact, facts, isFactKind, ROOT_AGENT } from "@harness/protocol";
import { isFolderName } from "../../session-folder.ts";
import { isMadeId } from "../../session-id.ts";
import { importedTime, writeImported } from "../imported-session.ts";
import { appendBytes } from "./append-bytes.ts";
import { CheckpointReader, type TakeCheckpoints } from "./checkpoint-reader.ts";
import { MovedPaths } from "./moved-paths.ts";
import { type Bundle, BundleError } from "./read-bundle.ts";

/** Each missing fact gets a notice in its place; no real damage loses more than this. */
const MAX_LOST = 10_000;

type BundleImport = { sessionId: string; messages: number; left: string };
/** Without `takeCheckpoints`, the checkpoints of its files stay in the bundle. */
type Target = { cwd: string; now: string; takeCheckpoints?: TakeCheckpoints | undefined };

/**
 * Writes a bundle's session into the store, under its own id if that is free, and marked as possibly written by others.
 * Each fact is validated. Facts refer to each other by number, so a notice takes the place of a fact that is missing or
 * invalid. Rejects with a `BundleError` if the bundle has no session, or with a `LogWriteError`; then there is no new
 * session.
 */
export async function importBundle(
  store: SessionStore,
  bundle: Bundle,
  { cwd, now, takeCheckpoints }: Target,
): Promise<BundleImport> {
  const session = Object(bundle.head.session);
  const wanted = String(session.sessionId);
  const isFree = isMadeId(wanted) && store.folderOf(wanted) === undefined && !store.bin.has(wanted);
  const sessionId = isFree ? wanted : store.newSessionId();
  const createdAt = importedTime(session.createdAt) ?? now;
  const paths = new MovedPaths({ from: String(session.cwd ?? ""), to: cwd });
  const checkpoints = new CheckpointReader(takeCheckpoints, { isMoved: session.cwd !== cwd });
  let copy: FactCopy | undefined;
  let lostTexts = 0;
  const write = async (log: SessionLog) => {
    copy = new FactCopy(log, { now, moved: (update) => checkpoints.moved(paths.moved(update)) });
    let isBegun = false;
    for await (const row of bundle.rows()) {
      if ("fact" in row && !isBegun) await checkpoints.end();
      isBegun ||= "fact" in row;
      if (!isBegun && checkpoints.take(row)) continue;
      if ("blob" in row) takeBlob(log, Object(row.blob), paths);
      else if ("fact" in row) copy.take(Object(row.fact));
      else if ("left" in row) lostTexts += 1;
    }
    if (copy.messages === 0) throw new BundleError("It has no messages of a conversation: nothing was imported.");
  };
  try {
    await writeImported(store, { sessionId, cwd, createdAt }, { isForeign: true, write });
  } finally {
    checkpoints.close();
  }
  const { messages = 0, replaced = 0 } = copy ?? {};
  return {
    sessionId,
    messages,
    left: leftSentences({ replaced, mentions: paths.mentions, lostTexts, checkpoints: checkpoints.problem }),
  };
}

/** Long texts span several rows. */
function takeBlob(log: SessionLog, { path: old, data }: { path?: unknown; data?: unknown }, paths: MovedPaths): void {
  if (typeof old !== "string" || typeof data !== "string") return;
  const path = paths.savedText(old) ?? log.newBlob(/\.[A-Za-z0-9]{1,8}$/.exec(old)?.[0] ?? ".txt");
  try {
    appendBytes(path, Buffer.from(data, "base64"));
  } catch (error) {
    throw new LogWriteError(diskProblem(error, "save a long text", path));
  }
  paths.addSavedText(old, path);
}

type StoredValue = { seq?: unknown; at?: unknown; agentId?: unknown; turnId?: unknown; update?: unknown };

class FactCopy {
  messages = 0;
  replaced = 0;
  readonly #log: SessionLog;
  readonly #now: string;
  readonly #moved: (update: unknown) => unknown;
  #seq = 0;
  /** The time of the last fact, for facts without one. */
  #at: string | undefined;
  #mayBeLost = MAX_LOST;
  readonly #agents = new Set<string>([ROOT_AGENT]);

  constructor(log: SessionLog, { now, moved }: { now: string; moved: (update: unknown) => unknown }) {
    this.#log = log;
    this.#now = now;
    this.#moved = moved;
  }

  take({ seq, at, agentId, turnId, update: given }: StoredValue): void {
    const gap = Number(seq) - this.#seq - 1;
    if (!(Number.isSafeInteger(seq) && gap >= 0 && gap <= this.#mayBeLost)) {
      this.replaced += 1;
      return;
    }
    this.#mayBeLost -= gap;
    for (let lost = 0; lost < gap; lost += 1) this.#replace();
    this.#at = importedTime(at) ?? this.#at;
    const update = factOf(this.#moved(given));
    if (!update || typeof agentId !== "string" || !this.#agents.has(agentId)) {
      this.#replace();
      return;
    }
    if (update.sessionUpdate === "subagent_update" && !this.#agents.has(update.childAgentId)) {
      this.#agents.add(update.childAgentId);
      this.#log.addAgent(update.childAgentId, agentId);
    }
    if (update.sessionUpdate === "user_message" || update.sessionUpdate === "agent_message") this.messages += 1;
    this.#append({ agentId, ...(typeof turnId === "string" ? { turnId } : {}), update });
  }

  #replace(): void {
    this.replaced += 1;
    const update: Fact = {
      sessionUpdate: "notice",
      severity: "warning",
      title: "Something that was here could not be read.",
    };
    this.#append({ agentId: ROOT_AGENT, update });
  }

  #append(entry: Omit<Parameters<SessionLog["append"]>[0], "at">): void {
    this.#seq = this.#log.append({ ...entry, at: this.#at ?? this.#now }).seq;
  }
}

/** Undefined if it fits no schema, or could lead out of the session's folder. */
function factOf(value: unknown): Fact | undefined {
  const kind = String(Object(value).sessionUpdate);
  if (!isFactKind(kind)) return undefined;
  const update = facts[kind].schema.safeParse(value);
  if (!update.success) return undefined;
  const fact = value as Fact;
  return fact.sessionUpdate === "subagent_update" && !isFolderName(fact.childAgentId) ? undefined : fact;
}

type Lost = { replaced: number; mentions: number; lostTexts: number; checkpoints: string | undefined };

function leftSentences({ replaced, mentions, lostTexts, checkpoints }: Lost): string {
  const sentences = [
    ...(replaced > 0 ? [`${amount(replaced, "entry", "entries")} could not be read.`] : []),
    ...(lostTexts > 0 ? [`${amount(lostTexts, "saved text")} could not be exported.`] : []),
    ...(checkpoints === undefined ? [] : [`Its earlier turns cannot be undone here: ${checkpoints}`]),
    ...(mentions > 0 ? [`${amount(mentions, "text")} still ${mentions === 1 ? "names" : "name"} the old folder.`] : []),
  ];
  return sentences.length === 0 ? "Everything was taken over." : sentences.join(" ");
}
